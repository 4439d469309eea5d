import CLinux
import Glibc

/// What tells a file from every other one, also from one that gets its inode number later.
///
/// For comparing only: nobody but root can open a file by it.
package struct FileIdentity: Hashable, Sendable {
  /// The file system: its own number where it has one, else the device's.
  package var volume: UInt64
  package var inode: UInt64
  /// When the file was made, in seconds and nanoseconds; nil where the file system does not say.
  package var birth: FileStatus.Time?
  /// The file system's own handle for the file; empty where it has none.
  package var handle: [UInt8]

  package init(volume: UInt64, inode: UInt64, birth: FileStatus.Time?, handle: [UInt8]) {
    self.volume = volume
    self.inode = inode
    self.birth = birth
    self.handle = handle
  }

  /// The identity of `path`; of a link itself.
  ///
  /// - SeeAlso: statx(2), statfs(2), name_to_handle_at(2)
  package init(of path: FilePath) throws(SystemError) {
    self = try FileFacts(of: path).identity
  }

  /// The identity of a directory above a file.
  ///
  /// Told by its birth where it has one and lies on the file's device: that takes one system call
  /// where a handle takes five. A handle tells more only of a directory that was removed and made
  /// anew within one tick of the clock.
  package init(of directory: FilePath, above file: FileFacts) throws(SystemError) {
    var (known, facts) = (file.facts, cl_identity())
    let isOther = try systemCall("statx", on: directory) {
      unsafe directory.withCString { unsafe cl_identify_place($0, &known, &facts) }
    }
    if isOther == 0 { self.init(facts) } else { try self.init(of: directory) }
  }

  fileprivate init(_ facts: cl_identity) {
    volume = facts.volume
    inode = facts.inode
    birth =
      facts.has_birth
      ? FileStatus.Time(
        seconds: Int(facts.birth_seconds),
        nanoseconds: Int(facts.birth_nanoseconds)
      )
      : nil
    let length = Int(facts.handle_length)
    handle = unsafe withUnsafeBytes(of: facts.handle) { unsafe Array($0.prefix(length)) }
  }

  /// Whether both are the same file.
  package func isSame(as other: FileIdentity) -> Bool {
    guard volume == other.volume, inode == other.inode else { return false }
    if !handle.isEmpty, !other.handle.isEmpty { return handle == other.handle }
    guard let birth, let theirs = other.birth else { return true }
    return birth == theirs
  }
}

/// A file's identity, and what the same system calls tell beside it.
package struct FileFacts: Sendable {
  fileprivate let facts: cl_identity
  package let identity: FileIdentity
  /// Length in bytes.
  package var size: Int64 { facts.size }
  package var kind: FileStatus.Kind { FileStatus.Kind(mode: facts.mode) }

  /// Of `path`; of a link itself.
  ///
  /// - SeeAlso: statx(2), statfs(2), name_to_handle_at(2)
  package init(of path: FilePath) throws(SystemError) {
    let file = try Descriptor.open(path, .itself)
    try self.init(of: file)
  }

  /// Of an open file.
  package init(of file: borrowing Descriptor) throws(SystemError) {
    let number = file.number
    var facts = cl_identity()
    _ = try systemCall("statx") { unsafe cl_identify(number, &facts) }
    self.facts = facts
    identity = FileIdentity(facts)
  }
}

extension DirectoryEntry {
  /// The names in a directory with the inode number that belongs to each, without a look at the files.
  ///
  /// - SeeAlso: readdir(3)
  package static func names(
    in directory: borrowing Descriptor,
    withInode wanted: UInt64
  ) throws(SystemError) -> [[UInt8]] {
    let copy = try Descriptor.open(FilePath("."), [.readOnly, .directory], at: directory.number)
      .release()
    guard let stream = unsafe fdopendir(copy) else {
      let code = cl_errno()
      close(copy)
      throw SystemError("fdopendir", Errno(rawValue: code))
    }
    defer { unsafe closedir(stream) }
    var found: [[UInt8]] = []
    while let entry = unsafe readdir(stream) {
      guard unsafe UInt64(entry.pointee.d_ino) == wanted else { continue }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe Array($0.prefix { $0 != 0 })
      }
      if name != [0x2e], name != [0x2e, 0x2e] { found.append(name) }
    }
    return found
  }
}
