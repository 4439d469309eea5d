/// What is mounted: the kernel's calls end here, each on a thread of its own that may block.
///
/// A call that blocks asks ``FuseRequest/isInterrupted`` now and then: until it ends, not even SIGKILL
/// ends the program that made it.
public protocol MountedFileSystem: Sendable {
  /// What is known of an item.
  func status(of path: ItemPath) throws(SystemErrno) -> ItemStatus
  /// The names in a directory.
  func list(_ path: ItemPath) throws(SystemErrno) -> [[UInt8]]
  /// Opens a file that is there.
  func open(_ path: ItemPath, _ flags: OpenFlags) throws(SystemErrno) -> OpenItem
  /// Opens a file, making it if it is not there.
  func create(_ path: ItemPath, _ flags: OpenFlags, permissions: UInt32) throws(SystemErrno)
    -> OpenItem
  /// A directory is going to be listed.
  func openDirectory(_ path: ItemPath) throws(SystemErrno)
  /// What is shown of a file that is open.
  func status(of item: OpenItem) throws(SystemErrno) -> ItemStatus

  /// Makes a directory.
  func makeDirectory(_ path: ItemPath, permissions: UInt32) throws(SystemErrno)
  /// Makes a pipe, a socket or an empty file.
  func makeNode(_ path: ItemPath, mode: UInt32, device: UInt64) throws(SystemErrno)
  /// Makes a link.
  func makeLink(_ path: ItemPath, to destination: [UInt8]) throws(SystemErrno)
  /// Gives a file another name as well.
  func makeName(_ path: ItemPath, for item: ItemPath) throws(SystemErrno)
  /// Where a link points to.
  func destination(of link: ItemPath) throws(SystemErrno) -> [UInt8]
  /// Removes a name.
  func remove(_ path: ItemPath, isDirectory: Bool) throws(SystemErrno)
  /// Gives an item another name.
  func rename(_ path: ItemPath, to other: ItemPath, _ flags: RenameFlags) throws(SystemErrno)

  /// Changes a file's length.
  func setLength(of path: ItemPath, _ length: Int64) throws(SystemErrno)
  /// Changes permissions.
  func setPermissions(of path: ItemPath, _ permissions: UInt32) throws(SystemErrno)
  /// Changes owner and group.
  func setOwner(of path: ItemPath, user: UInt32, group: UInt32) throws(SystemErrno)
  /// Changes times.
  func setTimes(of path: ItemPath, _ times: FileTimes) throws(SystemErrno)

  /// An extended attribute's value.
  func attribute(_ name: [UInt8], of path: ItemPath) throws(SystemErrno) -> [UInt8]
  /// The names of extended attributes, each with a zero at its end.
  func attributeNames(of path: ItemPath) throws(SystemErrno) -> [UInt8]
  /// Sets an extended attribute; the flags are those of setxattr(2).
  func setAttribute(_ name: [UInt8], of path: ItemPath, _ value: [UInt8], flags: Int32)
    throws(SystemErrno)
  /// Removes an extended attribute.
  func removeAttribute(_ name: [UInt8], of path: ItemPath) throws(SystemErrno)

  /// The folder whose file system's size is shown.
  var folder: Folder { get }

  /// The kernel calls from now on.
  func didMount()
}

/// A file that a program has open.
public final class OpenItem: Sendable {
  /// The file itself.
  public let file: OpenFile
  private let onRelease: @Sendable () -> Void

  /// The file, and what is to be done when the program has closed it everywhere; called once.
  public init(_ file: OpenFile, onRelease: @escaping @Sendable () -> Void) {
    self.file = file
    self.onRelease = onRelease
  }

  func release() { onRelease() }
}

/// A directory that a program lists.
final class OpenDirectory {
  let path: ItemPath
  init(_ path: ItemPath) { self.path = path }
}
