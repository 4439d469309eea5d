import CLinux
import Glibc

extension FileSystem {
  /// What an item takes on its disk, in bytes: its blocks and those of all that is below it.
  ///
  /// As `du -B1` counts: a file with several names once, a link as itself. What another file system shows
  /// below it does not count.
  /// - Throws: what the system says where a part of it cannot be looked at.
  /// - SeeAlso: fstatat(2), st_blocks in stat(3type)
  package static func spaceUsed(by path: FilePath) throws(SystemError) -> Int64 {
    var seen: Set<UInt64> = []
    let top = try blocks(of: path, at: AT_FDCWD)
    return try spaceUsed(path, at: AT_FDCWD, top, on: top.status.device, &seen)
  }

  private static func spaceUsed(
    _ name: FilePath,
    at directory: CInt,
    _ item: (status: FileStatus, bytes: Int64),
    on device: UInt64,
    _ seen: inout Set<UInt64>
  ) throws(SystemError) -> Int64 {
    guard item.status.device == device else { return 0 }
    guard item.status.kind == .directory else {
      let isFirst = item.status.links < 2 || seen.insert(item.status.inode).inserted
      return isFirst ? item.bytes : 0
    }
    let inner = try Descriptor.open(name, [.readOnly, .directory, .noFollow], at: directory)
    var sum = item.bytes
    for entry in try entries(of: inner.number) {
      let name = FilePath(bytes: entry.name)
      let below = try blocks(of: name, at: inner.number)
      sum += try spaceUsed(name, at: inner.number, below, on: device, &seen)
    }
    return sum
  }

  /// Beside the status, because blocks may be given to a file after its last change.
  private static func blocks(
    of path: FilePath,
    at directory: CInt
  ) throws(SystemError) -> (status: FileStatus, bytes: Int64) {
    var s = stat()
    _ = try systemCall("fstatat", on: path) {
      unsafe path.withCString { unsafe fstatat(directory, $0, &s, AT_SYMLINK_NOFOLLOW) }
    }
    return (FileStatus(s), Int64(s.st_blocks) * 512)
  }
}
