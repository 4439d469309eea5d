import LinuxSystem

/// A file as a look at the disk found it.
struct FoundFile: Sendable {
  enum Kind: Sendable {
    case directory
    case regular(HeldFile?)
    case link(FilePath)
  }
  let name: [UInt8]
  let kind: Kind
  let status: FileStatus

  /// Looks at `path`, relative to an open directory where one is given.
  ///
  /// With `isHeld` a regular file is opened, as long as there are descriptors to spare.
  init(_ path: FilePath, in directory: borrowing Descriptor, isHeld: Bool = true)
    throws(SystemError)
  {
    try self.init(path, at: directory.number, isHeld)
  }

  /// Looks at an absolute path.
  init(_ path: FilePath) throws(SystemError) {
    let parent = try Descriptor.open(path.parent ?? FilePath("/"), [.pathOnly, .directory])
    let name = path.lastComponent.map { FilePath(bytes: $0) } ?? FilePath(".")
    try self.init(name, at: parent.number, true)
  }

  private init(_ path: FilePath, at directory: CInt, _ isHeld: Bool) throws(SystemError) {
    name = Array(path.bytes)
    let seen = try FileStatus(of: path, at: directory)
    switch seen.kind {
    case .directory: (kind, status) = (.directory, seen)
    case .link:
      (kind, status) = (.link(try FileSystem.readLink(path, at: directory)), seen)
    case .regular:
      let file = isHeld ? try Self.hold(path, at: directory) : nil
      // What was opened is what is read: the name may have been given to another since.
      let status = try file?.with { (file) throws(SystemError) in try FileStatus(of: file) }
      (kind, self.status) = (.regular(file), status ?? seen)
    case .other: throw SystemError("open", .notSupported).about(path)
    }
  }

  private static func hold(_ path: FilePath, at directory: CInt) throws(SystemError) -> HeldFile? {
    do throws(SystemError) {
      return try HeldFile { () throws(SystemError) in
        try Descriptor.open(path, [.readOnly, .noFollow, .nonBlocking], at: directory)
      }
    } catch  where error.code == .tooManyOpenFiles || error.code == .permissionDenied {
      // Whoever reads it later may have more luck, and gets the error otherwise.
      return nil
    }
  }

  /// All that is in a directory, which is still what it was when its wrapper was made.
  ///
  /// - Returns: nil if the directory is another one, or changed meanwhile.
  static func list(_ path: FilePath, _ expected: FileStatus) throws(SystemError) -> [FoundFile]? {
    let directory = try Descriptor.open(path, [.readOnly, .directory, .noFollow])
    guard try FileStatus(of: directory).isSameDirectory(as: expected) else { return nil }
    var found: [FoundFile] = []
    for entry in try FileSystem.entries(of: directory.number) {
      let name = FilePath(bytes: entry.name)
      do throws(SystemError) { found.append(try FoundFile(name, in: directory)) } catch {
        throw error.about(path.appending(entry.name))
      }
    }
    return try FileStatus(of: directory).isSameDirectory(as: expected) ? found : nil
  }
}

extension FileStatus {
  /// Whether this is the same directory with the same names in it.
  fileprivate func isSameDirectory(as other: FileStatus) -> Bool {
    isSameFile(as: other) && modified == other.modified
  }
}
