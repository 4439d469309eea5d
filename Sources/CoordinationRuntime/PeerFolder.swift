package import LinuxSystem

/// What one process shows of itself in the runtime directory: `peers/<pid>.<start>/`.
///
/// Holds `alive`, which the process keeps locked exclusively: whoever can lock it knows that the
/// process is gone. Beside it, as they are needed: `claims` (who holds and waits), `presenters` (what
/// it presents), `socket` (where it listens). Built under a temporary name and renamed in, so that
/// nobody sees half of it.
package final class PeerFolder: Sendable {
  /// The process whose folder it is.
  package let process: ProcessIdentity
  /// The folder, opened.
  package let directory: SharedDescriptor
  private let alive: SharedDescriptor
  /// Kept open with the folder, so that its inode cannot come to mean another directory.
  private let runtime: RuntimeDirectory

  package static let alive = FilePath("alive")
  package static let claims = FilePath("claims")
  package static let presenters = FilePath("presenters")
  package static let socket = FilePath("socket")

  /// The name of a process's folder in `peers`.
  package static func name(of process: ProcessIdentity) -> FilePath {
    FilePath("\(process.pid).\(process.started)")
  }

  /// The process whose folder has this name; nil for temporary and foreign names.
  package static func process(named name: [UInt8]) -> ProcessIdentity? {
    let parts = String(decoding: name, as: UTF8.self).split(separator: ".")
    guard parts.count == 2, let pid = Int32(parts[0]), let started = UInt64(parts[1]) else {
      return nil
    }
    return ProcessIdentity(pid: pid, started: started)
  }

  /// This process's folder, made on first use and anew after a fork.
  package static func ours(in runtime: RuntimeDirectory) throws(RuntimeDirectoryError)
    -> PeerFolder
  {
    try OurFolder.current(in: runtime)
  }

  fileprivate init(creatingIn runtime: RuntimeDirectory) throws(RuntimeDirectoryError) {
    process = .current
    self.runtime = runtime
    do throws(SystemError) {
      let peers = try runtime.descriptor.with { root throws(SystemError) in
        try Descriptor.open(
          RuntimeDirectory.peers,
          [.readOnly, .directory, .noFollow],
          in: root
        )
      }
      let name = Self.name(of: process)
      let building = FilePath("new-\(process.pid).\(process.started)")
      let shared = runtime.fileMode == 0o660
      // Left by a process of this very id and start: ourselves, before a `peers` was replaced.
      for leftover in [building, name] { try Self.removeIfDead(leftover, in: peers) }
      do throws(SystemError) {
        try FileSystem.makeDirectory(building, mode: shared ? 0o2770 : 0o700, at: peers.number)
      } catch  where error.code == .alreadyExists {}
      // With the set-group bit, or what is made inside would belong to each owner's own group.
      if shared { try FileSystem.setPermissions(building, 0o2770, at: peers.number) }
      let folder = try Descriptor.open(building, [.readOnly, .directory, .noFollow], in: peers)
      var alive = try Descriptor.open(
        Self.alive,
        [.readWrite, .create, .noFollow],
        mode: runtime.fileMode,
        in: folder
      )
      if shared { try alive.setPermissions(runtime.fileMode) }
      alive.closeInForkedChild()
      try alive.lock(.exclusive)
      try FileSystem.rename(building, to: name, .noReplace, at: peers.number)
      directory = SharedDescriptor(folder)
      self.alive = SharedDescriptor(alive)
    } catch {
      throw RuntimeDirectoryError(runtime.path, error)
    }
  }
}

extension PeerFolder {
  /// Removes this process's folders: the last thing that a process does which ends in order.
  ///
  /// Nothing may be held or presented any more.
  package static func leave() { OurFolder.leave() }

  /// What cannot be removed, whoever sweeps next removes.
  fileprivate func remove() {
    let name = Self.name(of: process)
    _ = try? directory.with { directory throws(SystemError) in
      let peers = try Descriptor.open(FilePath(".."), [.readOnly, .directory], in: directory)
      let listing = try Descriptor.open(FilePath("."), [.readOnly, .directory], in: directory)
      for file in try FileSystem.list(listing, named: name) {
        try FileSystem.removeFile(FilePath(bytes: file), at: directory.number)
      }
      try FileSystem.removeDirectory(name, at: peers.number)
    }
  }
}

/// One folder per process and fork and runtime directory.
private enum OurFolder {
  private static let folders = PerProcess<[RuntimeDirectory.Key: PeerFolder]>([:])

  static func current(in runtime: RuntimeDirectory) throws(RuntimeDirectoryError) -> PeerFolder {
    try folders.withLock { folders throws(RuntimeDirectoryError) in
      // One whose folder was deleted shows us to nobody.
      if let folder = folders[runtime.key],
        let status = try? FileStatus(ofNumber: folder.directory.number), status.links > 0
      {
        return folder
      }
      let folder = try PeerFolder(creatingIn: runtime)
      folders[runtime.key] = folder
      // Most processes end without a word. Now and then one clears away what those before it left.
      if folder.process.pid % 32 == 0 { _ = try? PeerFolder.sweep(runtime) }
      return folder
    }
  }

  static func leave() {
    let left = folders.withLock { folders in
      defer { folders = [:] }
      return Array(folders.values)
    }
    for folder in left { folder.remove() }
  }
}
