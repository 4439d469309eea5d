package import LinuxSystem

extension PeerFolder {
  /// Whether the process that owns this folder of `peers` is gone.
  ///
  /// The one place that decides it: its `alive` file can be locked, because the kernel freed it. The
  /// look takes the lock shared, so that two that look at once do not take each other for the owner. A
  /// folder without that file is half made or half removed, or a stranger cleaned: it counts as gone
  /// when its process is. Who must not look takes it for alive. Two to four system calls, none blocks.
  /// - Throws: EMFILE and the like, when it cannot be told.
  package static func isDead(_ name: FilePath, in peers: CInt) throws(SystemError) -> Bool {
    do throws(SystemError) {
      let alive = try Descriptor.open(
        name.appending(Self.alive.bytes),
        [.readOnly, .noFollow, .nonBlocking],
        at: peers
      )
      return try alive.tryLock(.shared)
    } catch  where error.code == .noEntry || error.code == .notDirectory {
      let bytes =
        name.bytes.starts(with: Array("new-".utf8)) ? name.bytes.dropFirst(4) : name.bytes[...]
      guard let process = process(named: Array(bytes)) else { return true }
      return process.state == .gone
    } catch  where error.code == .permissionDenied {
      return false
    }
  }

  /// Removes the folder of a process that is gone; leaves one that lives, or is missing, alone.
  package static func removeIfDead(_ name: FilePath, in peers: borrowing Descriptor)
    throws(SystemError)
  {
    do throws(SystemError) {
      let folder = try Descriptor.open(name, [.readOnly, .directory, .noFollow], in: peers)
      guard try isDead(name, in: peers.number) else { return }
      let number = folder.number
      for file in try FileSystem.list(try folder.duplicate(), named: name) {
        try FileSystem.removeFile(FilePath(bytes: file), at: number)
      }
      try FileSystem.removeDirectory(name, at: peers.number)
    } catch  where error.code == .noEntry {
      // Somebody else was faster.
    }
  }

  /// Removes the folders of all processes that are gone; says how many.
  ///
  /// Needed for tidiness alone: a dead folder misleads nobody, but everybody looks at it.
  @discardableResult
  package static func sweep(_ runtime: RuntimeDirectory) throws(RuntimeDirectoryError) -> Int {
    let processes = try all(in: runtime)
    do throws(SystemError) {
      let peers = try runtime.descriptor.with { root throws(SystemError) in
        try Descriptor.open(RuntimeDirectory.peers, [.readOnly, .directory, .noFollow], in: root)
      }
      var removed = 0
      for process in processes {
        let name = name(of: process)
        guard process != .current, try isDead(name, in: peers.number) else { continue }
        // Another user's is his to remove.
        do throws(SystemError) { try removeIfDead(name, in: peers) } catch { continue }
        removed += 1
      }
      return removed
    } catch {
      throw RuntimeDirectoryError(runtime.path, error)
    }
  }

  /// The folders of all processes, ours included, whether they live or not.
  package static func all(in runtime: RuntimeDirectory) throws(RuntimeDirectoryError)
    -> [ProcessIdentity]
  {
    do throws(SystemError) {
      let peers = try runtime.descriptor.with { root throws(SystemError) in
        try Descriptor.open(RuntimeDirectory.peers, [.readOnly, .directory, .noFollow], in: root)
      }
      return try FileSystem.list(peers, named: RuntimeDirectory.peers).compactMap(process(named:))
    } catch {
      throw RuntimeDirectoryError(runtime.path, error)
    }
  }
}
