package import LinuxSystem

extension PeerFolder {
  /// Whether the process that owns this folder of `peers` is gone.
  ///
  /// Its `alive` file can be locked: the kernel freed it. A folder without one is half made or half
  /// removed and counts as gone only when its process is. Two to four system calls, none blocks.
  package static func isDead(_ name: FilePath, in peers: borrowing Descriptor) -> Bool {
    do throws(SystemError) {
      let folder = try Descriptor.open(name, [.readOnly, .directory, .noFollow], in: peers)
      let alive = try Descriptor.open(Self.alive, [.readWrite, .noFollow], in: folder)
      return try alive.tryLock(.exclusive)
    } catch {
      guard error.code == .noEntry else { return false }
      guard let process = process(named: Array(name.bytes)) else { return true }
      return process.state == .gone
    }
  }

  /// Removes the folder of a process that is gone; leaves one that lives, or is missing, alone.
  package static func removeIfDead(_ name: FilePath, in peers: borrowing Descriptor)
    throws(SystemError)
  {
    do throws(SystemError) {
      let folder = try Descriptor.open(name, [.readOnly, .directory, .noFollow], in: peers)
      guard isDead(name, in: peers) else { return }
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
        guard process != .current, isDead(name, in: peers) else { continue }
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
