package import LinuxSystem

/// The directory through which the processes of a user exclude and find each other.
///
/// The choice depends on nothing that differs between two processes of one user:
/// `$FILE_COORDINATION_DIR` if set; else `/run/user/<uid>/file-coordination` if `/run/user/<uid>`
/// exists and is ours; else `/tmp/file-coordination-<uid>`. It is checked before use and never
/// replaced by "no coordination".
package final class RuntimeDirectory: Sendable {
  /// Where it is.
  package let path: FilePath
  /// Opened once; everything in it is reached through this descriptor, never through the path.
  package let descriptor: SharedDescriptor
  /// Mode of the files made in it: 0600, or 0660 where the directory's group shares it.
  package let fileMode: UInt32
  /// The directory of lock files, opened once: nothing on the way to one can be swapped.
  package let nodesDirectory: SharedDescriptor
  private let identity: FileStatus
  private let choice: Choice

  /// Names of what lies inside.
  package static let nodes = FilePath("nodes")
  package static let peers = FilePath("peers")

  /// Opens, and where needed creates, the directory that this process must use.
  ///
  /// - Throws: ``RuntimeDirectoryError`` that names the fault.
  package static func open() throws(RuntimeDirectoryError) -> RuntimeDirectory {
    try RuntimeDirectory(choice())
  }

  /// The directory that is shared by this process now, opened on first use.
  ///
  /// Reopened after a fork, and after ``noticeReplacement()`` found another in its place.
  package static func shared() throws(RuntimeDirectoryError) -> RuntimeDirectory {
    try SharedRuntime.current()
  }

  /// Opens `directory`, creating it and what belongs inside.
  package init(_ choice: Choice) throws(RuntimeDirectoryError) {
    path = choice.path
    self.choice = choice
    let opened = try Self.openDirectory(path)
    let status = try Self.status(of: opened, at: path)
    try Self.check(status, choice)
    identity = status
    let sharedWithGroup = choice.isExplicit && status.permissions & 0o020 != 0
    fileMode = sharedWithGroup ? 0o660 : 0o600
    do throws(SystemError) {
      for name in [Self.nodes, Self.peers] {
        let mode: UInt32 = sharedWithGroup ? 0o2770 : 0o700
        do throws(SystemError) {
          try FileSystem.makeDirectory(name, mode: mode, at: opened.number)
          if sharedWithGroup { try FileSystem.setPermissions(name, mode, at: opened.number) }
        } catch  where error.code == .alreadyExists {}
        // A link or a file planted there is refused here.
        _ = try Descriptor.open(name, [.readOnly, .directory, .noFollow], in: opened).number
      }
      nodesDirectory = SharedDescriptor(
        try Descriptor.open(Self.nodes, [.readOnly, .directory, .noFollow], in: opened)
      )
      // Cleaners of /tmp leave alone what somebody holds locked.
      if choice.isTemporary { _ = try opened.tryLock(.shared) }
    } catch {
      throw RuntimeDirectoryError(path, error)
    }
    descriptor = SharedDescriptor(opened)
  }

  /// Whether another directory stands at the path now, or none (somebody deleted ours).
  ///
  /// Two system calls; asked on every slow path.
  package var wasReplaced: Bool {
    // A directory that cannot be looked at is not the one we opened: opening it again says why.
    guard let now = try? FileStatus(of: path), now.isSameFile(as: identity) else { return true }
    // The name `nodes` was taken from under its descriptor: new lock files would go elsewhere.
    guard let nodes = try? FileStatus(ofNumber: nodesDirectory.number) else { return true }
    return nodes.links == 0
  }

  /// The directory that stands in the place of this one now.
  ///
  /// For the one that ``shared()`` gives out, that is the new shared one.
  /// - Throws: ``RuntimeDirectoryError`` when there is none and none can be made.
  package func successor() throws(RuntimeDirectoryError) -> RuntimeDirectory {
    if SharedRuntime.forget(self) { return try Self.shared() }
    return try RuntimeDirectory(choice)
  }

  /// What tells this directory from every other one of the machine, while it is open.
  package var key: Key { Key(device: identity.device, inode: identity.inode) }

  /// Device and inode of a directory.
  package struct Key: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  /// Opens a file in it, made with ``fileMode`` where it is missing.
  ///
  /// Anything but a regular file of an accepted owner with one link is refused.
  package func openFile(
    _ name: FilePath,
    _ options: OpenOptions,
    in directory: SharedDescriptor? = nil
  ) throws(RuntimeDirectoryError) -> Descriptor {
    do throws(SystemError) {
      let file = try (directory ?? descriptor).with { directory throws(SystemError) in
        try Descriptor.open(
          name,
          options.union([.noFollow, .nonBlocking]),
          mode: fileMode,
          in: directory
        )
      }
      let status = try FileStatus(of: file)
      guard status.kind == .regular, status.links <= 1 else {
        throw SystemError("openat", .invalid).about(path.appending(name.bytes))
      }
      guard isAccepted(owner: status.owner) else {
        throw SystemError("openat", .notPermitted).about(path.appending(name.bytes))
      }
      // The umask may have taken the group's bits.
      if fileMode == 0o660, status.owner == Environment.user, status.permissions & 0o060 != 0o060 {
        try file.setPermissions(fileMode)
      }
      return file
    } catch {
      throw RuntimeDirectoryError(path, error)
    }
  }

  /// Whether files and processes of this user are trusted here.
  ///
  /// In a private directory: ourselves. In one that a group shares: whoever could enter it.
  package func isAccepted(owner: UInt32) -> Bool {
    owner == Environment.user || owner == identity.owner || fileMode == 0o660
  }

  /// One candidate for the place, and how it came up.
  package struct Choice: Sendable {
    package let path: FilePath
    /// Named by `FILE_COORDINATION_DIR`: the owner and group may be others.
    package let isExplicit: Bool
    /// Under /tmp, where cleaners roam.
    package let isTemporary: Bool

    package init(path: FilePath, isExplicit: Bool, isTemporary: Bool) {
      self.path = path
      self.isExplicit = isExplicit
      self.isTemporary = isTemporary
    }
  }

  /// The place that this process must use.
  package static func choice() -> Choice {
    if let named = Environment.value(of: "FILE_COORDINATION_DIR"), named.count > 0 {
      return Choice(path: named, isExplicit: true, isTemporary: false)
    }
    let user = Environment.user
    let run = FilePath("/run/user/\(user)")
    if let status = try? FileStatus(of: run), status.kind == .directory, status.owner == user {
      return Choice(
        path: run.appending("file-coordination"),
        isExplicit: false,
        isTemporary: false
      )
    }
    return Choice(
      path: FilePath("/tmp/file-coordination-\(user)"),
      isExplicit: false,
      isTemporary: true
    )
  }

  private static func openDirectory(_ path: FilePath) throws(RuntimeDirectoryError) -> Descriptor {
    do throws(SystemError) {
      do throws(SystemError) {
        try FileSystem.makeDirectory(path, mode: 0o700)
      } catch  where error.code == .alreadyExists {}
      return try Descriptor.open(path, [.readOnly, .directory, .noFollow])
    } catch {
      throw RuntimeDirectoryError(path, error)
    }
  }

  private static func status(of directory: borrowing Descriptor, at path: FilePath)
    throws(RuntimeDirectoryError) -> FileStatus
  {
    do throws(SystemError) { return try FileStatus(of: directory) } catch {
      throw RuntimeDirectoryError(path, error)
    }
  }

  private static func check(_ status: FileStatus, _ choice: Choice) throws(RuntimeDirectoryError) {
    func refuse(_ fault: String) -> RuntimeDirectoryError {
      RuntimeDirectoryError(path: choice.path, fault: fault)
    }
    guard status.kind == .directory else { throw refuse("it is not a directory") }
    if choice.isExplicit {
      guard status.permissions & 0o002 == 0 || status.permissions & 0o1000 != 0 else {
        throw refuse("everybody may write to it; take the write permission of others away")
      }
      return
    }
    guard status.owner == Environment.user else {
      throw refuse("it belongs to user \(status.owner), not to \(Environment.user); remove it")
    }
    guard status.permissions & 0o077 == 0 else {
      throw refuse(
        "other users may enter it (mode \(String(status.permissions, radix: 8))); set it to 700"
      )
    }
  }
}

/// Why the runtime directory cannot be used; without it nothing is coordinated.
package struct RuntimeDirectoryError: Error, Sendable, CustomStringConvertible {
  package let path: FilePath
  package let fault: String
  /// The failed call, when one failed.
  package let cause: SystemError?

  init(path: FilePath, fault: String) {
    self.path = path
    self.fault = fault
    cause = nil
  }

  package init(_ path: FilePath, _ cause: SystemError) {
    self.path = path
    fault = cause.description
    self.cause = cause
  }

  package var description: String {
    "the coordination directory \(path) cannot be used: \(fault)"
  }
}

/// One runtime directory per process and fork.
private enum SharedRuntime {
  private static let directory = PerProcess<RuntimeDirectory?>(nil)

  static func current() throws(RuntimeDirectoryError) -> RuntimeDirectory {
    try directory.withLock { directory throws(RuntimeDirectoryError) in
      if let directory { return directory }
      let opened = try RuntimeDirectory.open()
      directory = opened
      return opened
    }
  }

  /// Says whether it was the shared one.
  static func forget(_ gone: RuntimeDirectory) -> Bool {
    directory.withLock { directory in
      guard directory === gone else { return false }
      directory = nil
      return true
    }
  }
}

extension RuntimeDirectory {
  /// Drops this directory from ``shared()`` if another stands in its place; says whether it did.
  package func noticeReplacement() -> Bool {
    guard wasReplaced else { return false }
    _ = SharedRuntime.forget(self)
    return true
  }
}
