import LinuxSystem

/// Copies the contents of one file into the place of another, as cp(1) does.
struct FileCopy {
  let source: FilePath
  let target: FilePath
  let check: () throws -> Void

  /// Copies; an existing target keeps its permissions, owner and attributes.
  ///
  /// The target is written under a temporary name and renamed, so that it is whole at any time.
  /// Where its directory cannot be written to, or its name is a mount point, it is written in place.
  func run() throws {
    guard let existing = try Operand.status(target) else {
      let copy = TreeCopy(fidelity: .likeNew, check: check)
      try SafePlacement.place(at: target, replacing: false) { try copy.copy(source, to: $0) }
      return
    }
    guard existing.kind == .regular else {
      throw CommandFailure(.failure, "\(target): not a regular file")
    }
    do {
      try SafePlacement.place(at: target, replacing: true) {
        try replacement(at: $0, for: existing)
      }
    } catch let error as SystemError where error.meansThatOnlyContentsMayChange {
      try overwrite()
    }
  }

  private func replacement(at temporary: FilePath, for existing: FileStatus) throws {
    let old = try Descriptor.open(target, [.writeOnly, .noFollow, .nonBlocking])
    let file = try TreeCopy.openFile(source)
    let made = try Descriptor.open(temporary, [.writeOnly, .create, .exclusive, .noFollow])
    try copyContents(of: file, to: made)
    old.copyAttributes(to: made)
    guard made.setOwner(existing.owner, group: existing.group) else {
      // With another owner it would not be the same file to others: only its contents may change.
      throw SystemError("fchown", .notPermitted).about(target)
    }
    try made.setPermissions(existing.permissions)
    try made.synchronize()
  }

  private func overwrite() throws {
    let file = try TreeCopy.openFile(source)
    let old = try Descriptor.open(target, [.writeOnly, .noFollow, .nonBlocking])
    try copyContents(of: file, to: old)
    try old.setLength(Int(FileStatus(of: file).size))
    try old.synchronize()
  }

  private func copyContents(
    of file: borrowing Descriptor,
    to made: borrowing Descriptor
  ) throws {
    try TreeCopy(fidelity: .likeNew, check: check).copyContents(of: file, to: made)
  }
}

extension SystemError {
  /// Whether a file cannot be replaced where its contents perhaps can be written.
  fileprivate var meansThatOnlyContentsMayChange: Bool {
    [.permissionDenied, .notPermitted, .busy, .readOnlyFileSystem].contains(code)
  }
}
