import CLinux
import Glibc

/// What stat(2) says of a file, with the fields that tell two states of it apart.
package struct FileStatus: Hashable, Sendable {
  /// What kind of file it is.
  package enum Kind: Sendable { case regular, directory, link, other }
  /// Seconds and nanoseconds, unrounded: `Date` would lose digits.
  package struct Time: Hashable, Sendable {
    package let seconds: Int
    package let nanoseconds: Int

    package init(seconds: Int, nanoseconds: Int) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }

    /// In nanoseconds since 1970, as ``WallClock`` tells them.
    package var sinceEpoch: Int64 { Int64(seconds) * 1_000_000_000 + Int64(nanoseconds) }
  }

  package let device: UInt64
  package let inode: UInt64
  package let kind: Kind
  /// Permission bits, set-id bits and the sticky bit.
  package let permissions: UInt32
  package let links: UInt64
  package let owner: UInt32
  package let group: UInt32
  /// Length in bytes.
  package let size: Int64
  package let modified: Time
  package let changed: Time

  init(_ s: stat) {
    device = UInt64(s.st_dev)
    inode = UInt64(s.st_ino)
    kind =
      switch s.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .link
      default: .other
      }
    permissions = s.st_mode & 0o7777
    links = UInt64(s.st_nlink)
    owner = s.st_uid
    group = s.st_gid
    size = Int64(s.st_size)
    modified = Time(seconds: s.st_mtim.tv_sec, nanoseconds: s.st_mtim.tv_nsec)
    changed = Time(seconds: s.st_ctim.tv_sec, nanoseconds: s.st_ctim.tv_nsec)
  }

  /// The status of `path`; of the link itself unless `followingLink`.
  ///
  /// - SeeAlso: fstatat(2)
  package init(
    of path: FilePath,
    followingLink: Bool = false,
    at directory: CInt = AT_FDCWD
  ) throws(SystemError) {
    var s = stat()
    let flags = followingLink ? 0 : AT_SYMLINK_NOFOLLOW
    _ = try systemCall("fstatat", on: path) {
      unsafe path.withCString { unsafe fstatat(directory, $0, &s, flags) }
    }
    self.init(s)
  }

  /// The status of an open file.
  ///
  /// - SeeAlso: fstat(2)
  package init(of descriptor: borrowing Descriptor) throws(SystemError) {
    try self.init(ofNumber: descriptor.number)
  }

  package init(ofNumber number: CInt) throws(SystemError) {
    var s = stat()
    _ = try systemCall("fstat") { unsafe fstat(number, &s) }
    self.init(s)
  }

  /// Whether this and `other` are the same file, whatever its contents.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
