import CoordinationRuntime
package import LinuxSystem

/// One replacement of an item by new contents: afterwards the complete old or the complete new item
/// is there, whatever happens on the way.
///
/// The new contents are written under a temporary name in the same directory, get mode, owner,
/// attributes and access control list of the old, are flushed, and take the item's name in one step;
/// then the directory is flushed. A link at the end of the path is followed, and stays. Blocks the
/// calling thread; excludes nobody: the caller holds the write claim.
package struct SafeReplacement: Sendable {
  /// What happens to a file that has other names.
  package enum HardLinkRule: Sendable {
    /// The name gets a new file; the other names keep the old contents.
    case swap
    /// The file is overwritten, so that all names see the new contents.
    case overwrite
  }

  package struct Options: Sendable {
    package var hardLinks = HardLinkRule.swap
    /// Whether an item that is there, other than an empty file, is an error.
    package var mustBeNew = false
    package init() {}
  }

  /// What came of it.
  package struct Outcome: Sendable {
    /// The item as it is now.
    package let status: FileStatus
    /// Whether the old file was overwritten because it could not be replaced.
    package let wasOverwritten: Bool
  }

  /// The item itself: links are resolved.
  package let target: FilePath
  let options: Options
  let directory: FilePath

  /// A replacement of what `path` names.
  ///
  /// - Throws: ELOOP for links that lead in a circle, EINVAL for the root.
  package init(of path: FilePath, _ options: Options = Options()) throws(SystemError) {
    target = try ItemResolver.shared.canonical(path, followingLink: true)
    guard let parent = target.parent, target.lastComponent != nil else {
      throw SystemError("renameat2", .invalid).about(path)
    }
    directory = parent
    self.options = options
  }

  /// Does it.
  ///
  /// - Parameters:
  ///   - check: Sees the old item before anything is written and once more before it is replaced;
  ///     what it throws ends the replacement.
  ///   - write: Makes the new contents under a name that does not exist; gets the old item's path too.
  ///   - adjust: Changes attributes of the new item, open for reading.
  /// - Returns: what came of it.
  /// - Throws: what a step failed with; then the old item is as it was and nothing is left behind.
  package func perform(
    check: (FileStatus?) throws -> Void = { _ in },
    write: (_ new: FilePath, _ old: FilePath?) throws -> Void,
    adjust: (borrowing Descriptor) throws -> Void = { _ in }
  ) throws -> Outcome {
    try RedoLog.recover(target)
    let old = try existing()
    try refuse(old)
    try check(old)
    if let old, mustOverwrite(old) {
      return try Overwrite(target, old).perform(check: { try check(existing()) }, adjust: adjust) {
        try write($0, target)
      }
    }
    StaleTemporaries.clean(directory)
    let temporary = try TemporaryName.fresh(in: directory)
    do {
      try write(temporary, old == nil ? nil : target)
      let keepsOwner = try complete(temporary, like: old, adjust)
      if let old, !keepsOwner, old.kind == .regular, mayWrite() {
        return try overwrite(old, from: temporary, check, adjust)
      }
      let now = try existing()
      try refuse(now)
      try check(now)
      if let failure = try swap(temporary, now) {
        guard let now, now.kind == .regular, failure.isRefusalToReplace else { throw failure }
        return try overwrite(now, from: temporary, check, adjust)
      }
    } catch {
      // The error at hand says more than one about the leftover, which the next save removes.
      try? FileSystem.removeTree(temporary)
      throw error
    }
    try synchronizeDirectory()
    return Outcome(status: try FileStatus(of: target), wasOverwritten: false)
  }

  /// The item as it is; nil where there is none.
  package func existing() throws(SystemError) -> FileStatus? {
    do throws(SystemError) { return try FileStatus(of: target) } catch  where error.code == .noEntry
    {
      return nil
    }
  }

  private func refuse(_ old: FileStatus?) throws(SystemError) {
    guard options.mustBeNew, let old else { return }
    // A picker makes an empty file to hold the name.
    if old.kind == .regular, old.size == 0 { return }
    throw SystemError("renameat2", .alreadyExists).about(target)
  }

  private func mustOverwrite(_ old: FileStatus) -> Bool {
    guard old.kind == .regular else { return false }
    if options.hardLinks == .overwrite, old.links > 1 { return true }
    return !FileSystem.mayChangeNames(in: directory) && mayWrite()
  }

  private func mayWrite() -> Bool {
    (try? Descriptor.open(target, [.writeOnly, .noFollow, .nonBlocking])) != nil
  }

  private func overwrite(
    _ old: FileStatus,
    from temporary: FilePath,
    _ check: (FileStatus?) throws -> Void,
    _ adjust: (borrowing Descriptor) throws -> Void
  ) throws -> Outcome {
    let outcome = try Overwrite(target, old).perform(
      check: { try check(existing()) },
      adjust: adjust
    ) {
      try FileSystem.copyContents(of: temporary, toNew: $0)
    }
    try FileSystem.removeTree(temporary)
    return outcome
  }

  // MARK: The new item before it has its name

  /// Gives the new item its attributes and flushes it; false if it could not get the old one's owner.
  private func complete(
    _ temporary: FilePath,
    like old: FileStatus?,
    _ adjust: (borrowing Descriptor) throws -> Void
  ) throws -> Bool {
    let status = try FileStatus(of: temporary)
    guard status.kind == .regular || status.kind == .directory else { return true }
    let new = try Descriptor.open(temporary, [.readOnly, .noFollow, .nonBlocking])
    var keepsOwner = true
    if let old, old.kind == status.kind {
      keepsOwner = try inherit(old, to: new, status)
    } else {
      let open: UInt32 = status.kind == .directory ? 0o777 : 0o666
      let made: UInt32 = status.kind == .directory ? 0o700 : 0o600
      if status.permissions == made {
        try new.setPermissions(open & ~Environment.creationMask)
      }
    }
    try adjust(new)
    if status.kind == .directory {
      try FileSystem.synchronizeTree(temporary, sharingWith: target)
    } else {
      try new.synchronize()
    }
    return keepsOwner
  }

  private func inherit(_ old: FileStatus, to new: borrowing Descriptor, _ made: FileStatus)
    throws(SystemError) -> Bool
  {
    var keepsOwner = true
    if old.owner != made.owner || old.group != made.group {
      keepsOwner =
        new.setOwner(old.owner, group: old.group)
        || (old.owner == made.owner && new.setOwner(made.owner, group: old.group))
    }
    // An old item that cannot be read keeps what stat(2) says of it.
    if let source = try? Descriptor.open(target, [.readOnly, .noFollow, .nonBlocking]) {
      source.copyUserAttributes(to: new)
    }
    // Bits that lend the owner's rights go with the owner only.
    let mask: UInt32 = keepsOwner ? 0o7777 : 0o1777
    try new.setPermissions(old.permissions & mask)
    return keepsOwner
  }

  // MARK: The step itself

  /// Lets the new item take the name; the failure with which the file system refused, if it did.
  private func swap(_ new: FilePath, _ old: FileStatus?) throws(SystemError) -> SystemError? {
    do throws(SystemError) {
      guard let old else {
        try renameToFree(new)
        return nil
      }
      let kind = try FileStatus(of: new).kind
      if old.kind != .directory, kind != .directory {
        try FileSystem.rename(new, to: target)
        return nil
      }
      try exchange(new)
    } catch { return error }
    return nil
  }

  private func renameToFree(_ new: FilePath) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.rename(new, to: target, .noReplace)
    } catch  where error.isUnknownOption {
      // This file system cannot say "only if free": looked at a moment ago, it was.
      try FileSystem.rename(new, to: target)
    }
  }

  private func exchange(_ new: FilePath) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.rename(new, to: target, .exchange)
      // Flushed before the old tree goes: a crash must not leave neither.
      try synchronizeDirectory()
      try FileSystem.removeTree(new)
    } catch  where error.isUnknownOption {
      let aside = try TemporaryName.fresh(in: directory)
      try FileSystem.rename(target, to: aside)
      do throws(SystemError) {
        try FileSystem.rename(new, to: target)
      } catch {
        try FileSystem.rename(aside, to: target)
        throw error
      }
      try FileSystem.removeTree(aside)
    }
  }

  private func synchronizeDirectory() throws(SystemError) {
    do throws(SystemError) {
      try Descriptor.open(directory, [.readOnly, .directory]).synchronize()
    } catch  where [.invalid, .notSupported, .permissionDenied].contains(error.code) {
      // File systems that cannot flush a directory, and directories that may be written but not read.
    }
  }
}

extension SystemError {
  /// Whether a file system does not know the flags of renameat2(2).
  var isUnknownOption: Bool { [.invalid, .noSystemCall, .notSupported].contains(code) }

  /// Whether this name cannot be given to another file, though the file may be writable.
  var isRefusalToReplace: Bool {
    call == "renameat2"
      && [.busy, .crossDevice, .notPermitted, .permissionDenied, .textBusy].contains(code)
  }
}
