import CFuse
import Glibc

/// A folder and what is in it; every path is one below it, and no link at its end is followed.
///
/// It stays open, so that it is the same one also where something is mounted over it.
public final class Folder: Sendable {
  private let directory: OpenFile
  /// Its path, without links, when it was opened.
  public let path: [UInt8]

  /// Opens a folder by its path.
  public init(_ path: String) throws(SystemErrno) {
    directory = OpenFile(
      owning: try check { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    )
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let link = "/proc/self/fd/\(directory.number)"
    let length = try check { unsafe readlink(link, &buffer, buffer.count) }
    self.path = buffer.prefix(length).map { UInt8(bitPattern: $0) }
  }

  /// Calls with the path as C wants it, relative to the folder.
  private func at<Result>(_ path: ItemPath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe Self.withCString(path.isRoot ? [UInt8(ascii: ".")] : path.bytes, body)
  }
  /// Calls with the whole path, for what has no form that begins at a descriptor.
  private func whole<Result>(_ item: ItemPath, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    // Through the descriptor, so that what is mounted over the path does not matter.
    let start = Array("/proc/self/fd/\(directory.number)/".utf8)
    return unsafe Self.withCString(start + (item.isRoot ? [UInt8(ascii: ".")] : item.bytes), body)
  }
  /// Calls with bytes as a C string.
  static func withCString<Result>(
    _ bytes: [UInt8],
    _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let string = bytes.map { CChar(bitPattern: $0) } + [0]
    return unsafe body(string)
  }

  // MARK: looking

  /// What is known of an item.
  public func status(of path: ItemPath) throws(SystemErrno) -> ItemStatus {
    var status = stat()
    try check {
      unsafe at(path) { unsafe fstatat(directory.number, $0, &status, AT_SYMLINK_NOFOLLOW) }
    }
    return ItemStatus(status)
  }

  /// Whether there is anything of that name.
  public func exists(_ path: ItemPath) -> Bool {
    unsafe at(path) { unsafe faccessat(directory.number, $0, F_OK, AT_SYMLINK_NOFOLLOW) } == 0
  }

  /// The names in a directory, without those of itself and its parent.
  public func list(_ path: ItemPath) throws(SystemErrno) -> [[UInt8]] {
    let number = try check {
      unsafe at(path) {
        unsafe openat(directory.number, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      }
    }
    guard let stream = unsafe fdopendir(number) else {
      let failure = SystemErrno.current
      close(number)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw .current }
        return names
      }
      let name = unsafe bytes(of: cf_entry_name(entry))
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
  }

  /// Where a link points to.
  public func destination(of link: ItemPath) throws(SystemErrno) -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = try check {
      unsafe at(link) { unsafe readlinkat(directory.number, $0, &buffer, buffer.count) }
    }
    return buffer.prefix(length).map { UInt8(bitPattern: $0) }
  }

  func fileSystemStatus() throws(SystemErrno) -> statvfs {
    var status = statvfs()
    try check { unsafe fstatvfs(directory.number, &status) }
    return status
  }

  // MARK: files

  /// Opens a file.
  public func open(
    _ path: ItemPath,
    _ flags: OpenFlags,
    permissions: UInt32 = 0o600
  ) throws(SystemErrno) -> OpenFile {
    // O_NONBLOCK: a pipe must not make us wait; for files it means nothing. O_DIRECT would be about the
    // kernel's buffers, not the program's.
    let flags = flags.raw & ~CInt(cf_direct) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    return OpenFile(
      owning: try check {
        unsafe at(path) { unsafe cf_open(directory.number, $0, flags, permissions) }
      }
    )
  }

  /// Changes a file's length.
  public func setLength(of path: ItemPath, _ length: Int64) throws(SystemErrno) {
    try open(path, .writing).setLength(off_t(length))
  }

  /// Has a file there that holds nothing.
  public func empty(_ path: ItemPath, permissions: UInt32) throws(SystemErrno) {
    _ = try open(path, OpenFlags(raw: O_WRONLY | O_TRUNC | O_CREAT), permissions: permissions)
  }

  // MARK: names

  /// Makes a directory with exactly these permissions.
  public func makeDirectory(_ path: ItemPath, permissions: UInt32) throws(SystemErrno) {
    try check { unsafe at(path) { unsafe mkdirat(directory.number, $0, permissions) } }
    try setPermissions(of: path, permissions)
  }

  /// Makes a pipe, a socket or an empty file.
  public func makeNode(_ path: ItemPath, mode: UInt32, device: UInt64) throws(SystemErrno) {
    try check { unsafe at(path) { unsafe mknodat(directory.number, $0, mode, dev_t(device)) } }
    try setPermissions(of: path, mode & 0o7777)
  }

  /// Makes a link.
  public func makeLink(_ path: ItemPath, to destination: [UInt8]) throws(SystemErrno) {
    try check {
      unsafe at(path) { path in
        unsafe Self.withCString(destination) { unsafe symlinkat($0, directory.number, path) }
      }
    }
  }

  /// Gives a file another name as well.
  public func makeName(_ path: ItemPath, for item: ItemPath) throws(SystemErrno) {
    try check {
      unsafe at(item) { item in
        unsafe at(path) { unsafe linkat(directory.number, item, directory.number, $0, 0) }
      }
    }
  }

  /// Removes a name.
  public func remove(_ path: ItemPath, isDirectory: Bool = false) throws(SystemErrno) {
    let flags = isDirectory ? AT_REMOVEDIR : 0
    try check { unsafe at(path) { unsafe unlinkat(directory.number, $0, flags) } }
  }

  /// Gives an item another name.
  public func rename(_ path: ItemPath, to other: ItemPath, flags: UInt32) throws(SystemErrno) {
    try check {
      unsafe at(path) { path in
        unsafe at(other) { unsafe cf_rename(directory.number, path, $0, flags) }
      }
    }
  }

  // MARK: attributes

  /// Changes permissions; links have none.
  public func setPermissions(of path: ItemPath, _ permissions: UInt32) throws(SystemErrno) {
    if try status(of: path).kind == .link { throw SystemErrno(EOPNOTSUPP) }
    try check { unsafe at(path) { unsafe fchmodat(directory.number, $0, permissions, 0) } }
  }

  /// Changes owner and group.
  public func setOwner(of path: ItemPath, user: UInt32, group: UInt32) throws(SystemErrno) {
    try check {
      unsafe at(path) {
        unsafe fchownat(directory.number, $0, user, group, AT_SYMLINK_NOFOLLOW)
      }
    }
  }

  /// Changes times.
  public func setTimes(of path: ItemPath, _ times: FileTimes) throws(SystemErrno) {
    try check {
      unsafe at(path) {
        unsafe utimensat(
          directory.number,
          $0,
          [times.accessed, times.modified],
          AT_SYMLINK_NOFOLLOW
        )
      }
    }
  }

  /// An extended attribute's value.
  public func attribute(_ name: [UInt8], of path: ItemPath) throws(SystemErrno) -> [UInt8] {
    try unsafe growing { buffer in
      unsafe whole(path) { path in
        unsafe Self.withCString(name) {
          unsafe lgetxattr(path, $0, buffer.baseAddress, buffer.count)
        }
      }
    }
  }

  /// The names of extended attributes, each with a zero at its end.
  public func attributeNames(of path: ItemPath) throws(SystemErrno) -> [UInt8] {
    try unsafe growing { buffer in
      unsafe whole(path) {
        unsafe llistxattr(
          $0,
          buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
          buffer.count
        )
      }
    }
  }

  /// Sets an extended attribute; the flags are those of setxattr(2).
  public func setAttribute(
    _ name: [UInt8],
    of path: ItemPath,
    _ value: [UInt8],
    flags: Int32
  ) throws(SystemErrno) {
    try check {
      unsafe whole(path) { path in
        unsafe Self.withCString(name) { unsafe lsetxattr(path, $0, value, value.count, flags) }
      }
    }
  }

  /// Removes an extended attribute.
  public func removeAttribute(_ name: [UInt8], of path: ItemPath) throws(SystemErrno) {
    try check {
      unsafe whole(path) { path in
        unsafe Self.withCString(name) { unsafe lremovexattr(path, $0) }
      }
    }
  }

  /// Asks until what is answered fits.
  private func growing(
    _ ask: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(SystemErrno) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1024)
    while true {
      let length = unsafe buffer.withUnsafeMutableBytes { unsafe ask($0) }
      if length >= 0 { return Array(buffer.prefix(length)) }
      guard errno == ERANGE, buffer.count < 1 << 20 else { throw .current }
      buffer = [UInt8](repeating: 0, count: buffer.count * 4)
    }
  }
}

/// The bytes of a C string.
func bytes(of string: UnsafePointer<CChar>) -> [UInt8] {
  unsafe Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
}
