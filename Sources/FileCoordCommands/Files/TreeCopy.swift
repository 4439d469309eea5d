import LinuxSystem

/// Copies items to names that nothing has yet.
struct TreeCopy {
  /// What of an item besides its contents the copy gets.
  enum Fidelity {
    /// Permissions, as far as the umask allows: what cp(1) gives a new file.
    case likeNew
    /// Permissions, owner, times, extended attributes: what mv(1) gives across file systems.
    case exact
  }

  let fidelity: Fidelity
  /// Asked all the time; throws to end the copy.
  let check: () throws -> Void
  /// Runs its second argument while the file or link may be read at the path that it is given.
  var reading: (FilePath, (FilePath) throws -> Void) throws -> Void = { try $1($0) }

  /// Copies `source`, whatever it is, to `target`.
  ///
  /// - Throws: ``CommandFailure`` for a socket, a FIFO or a device; EEXIST where `target` exists.
  func copy(_ source: FilePath, to target: FilePath) throws {
    try copy(source, to: target, top: nil)
  }

  private func copy(_ source: FilePath, to target: FilePath, top: FileStatus?) throws {
    try check()
    let status = try FileStatus(of: source)
    // Seen through another mount, a target may lie inside its source: that would never end.
    if let top, top.isSameFile(as: status) {
      throw CommandFailure(.failure, "\(source) is where the copy itself is being made")
    }
    switch status.kind {
    case .regular:
      try reading(source) { source in
        try creating(target) { try copyFile(source, into: $0) }
      }
    case .link:
      try reading(source) { source in
        try FileSystem.makeLink(target, to: FileSystem.readLink(source))
      }
      if fidelity == .exact { FileSystem.setLinkAttributes(target, like: status) }
    case .directory: try copyDirectory(source, to: target, top: top)
    case .other: throw CommandFailure(.failure, "\(source): neither file, directory nor link")
    }
  }

  /// Nobody changes it in this process.
  private static let creationMask = Environment.creationMask

  /// - Throws: ``CommandFailure`` if anything in the tree is of a kind that cannot be copied.
  static func checkKinds(in path: FilePath) throws {
    switch try FileStatus(of: path).kind {
    case .regular, .link: break
    case .directory:
      for name in try FileSystem.list(path) { try checkKinds(in: path.appending(name)) }
    case .other: throw CommandFailure(.failure, "\(path): neither file, directory nor link")
    }
  }

  private func creating(
    _ target: FilePath,
    _ body: (borrowing Descriptor) throws -> Void
  ) throws {
    let file = try Descriptor.open(target, [.writeOnly, .create, .exclusive, .noFollow])
    try body(file)
  }

  /// Copies contents and what ``fidelity`` says into a new open file, and flushes it to the device.
  func copyFile(_ source: FilePath, into target: borrowing Descriptor) throws {
    let file = try Self.openFile(source)
    try copyContents(of: file, to: target)
    try finish(target, like: FileStatus(of: file), file)
    try target.synchronize()
  }

  /// Opens a regular file for reading; anything else (by now) is refused.
  static func openFile(_ source: FilePath) throws -> Descriptor {
    // Not blocking: a FIFO that came in between must not hold us up.
    let file = try Descriptor.open(source, [.readOnly, .noFollow, .nonBlocking])
    guard try FileStatus(of: file).kind == .regular else {
      throw CommandFailure(.failure, "\(source): not a regular file")
    }
    return file
  }

  /// - Throws: what ``check`` throws, or that of read and write.
  func copyContents(
    of file: borrowing Descriptor,
    to target: borrowing Descriptor
  ) throws {
    var stop: (any Error)?
    let isWhole = try file.copyContents(to: target) {
      do { try check() } catch { stop = error }
      return stop == nil
    }
    if !isWhole, let stop { throw stop }
  }

  private func copyDirectory(
    _ source: FilePath,
    to target: FilePath,
    top: FileStatus?
  ) throws {
    try FileSystem.makeDirectory(target, mode: 0o700)
    let top = try top ?? FileStatus(of: target)
    for name in try FileSystem.list(source) {
      try copy(source.appending(name), to: target.appending(name), top: top)
    }
    let directory = try Descriptor.open(source, [.readOnly, .directory, .noFollow])
    let made = try Descriptor.open(target, [.readOnly, .directory, .noFollow])
    try finish(made, like: FileStatus(of: directory), directory)
  }

  private func finish(
    _ target: borrowing Descriptor,
    like status: FileStatus,
    _ source: borrowing Descriptor
  ) throws {
    switch fidelity {
    case .likeNew:
      try target.setPermissions(status.permissions & 0o777 & ~Self.creationMask)
    case .exact:
      source.copyAttributes(to: target)
      // Set-id bits speak of an owner: they are only right with him.
      let isOwned = target.setOwner(status.owner, group: status.group)
      try target.setPermissions(status.permissions & (isOwned ? 0o7777 : 0o1777))
      try target.setModified(status.modified)
    }
  }
}
