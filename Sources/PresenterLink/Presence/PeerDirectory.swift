import CoordinationRuntime
import LinuxSystem

/// The folders of the processes that take part, `peers/<pid>.<start>`, as others see them.
final class PeerDirectory: Sendable {
  /// The word in a folder by which others say that they could not reach its process.
  static let overflow = FilePath("overflow")
  /// `peers`, opened.
  let descriptor: SharedDescriptor
  let path: FilePath

  init(_ runtime: RuntimeDirectory) throws(SystemError) {
    descriptor = SharedDescriptor(
      try Descriptor.open(
        RuntimeDirectory.peers,
        [.readOnly, .directory, .noFollow],
        at: runtime.descriptor.number
      )
    )
    path = runtime.path.appending(RuntimeDirectory.peers.bytes)
  }

  /// Everything that lies in it.
  func names() throws(SystemError) -> [[UInt8]] {
    let again = try Descriptor.open(
      FilePath("."),
      [.readOnly, .directory],
      at: descriptor.number
    )
    return try FileSystem.list(again, named: path)
  }

  /// Whether the owner of this folder lives.
  ///
  /// - Throws: EMFILE and the like, when it cannot be told.
  func isAlive(_ folder: FilePath) throws(SystemError) -> Bool {
    try !PeerFolder.isDead(folder, in: descriptor.number)
  }

  /// Removes the folder of a process that is gone.
  ///
  /// Nothing happens if it lives after all.
  /// - Returns: whether it presented something, so that the counters are too high now.
  func sweep(_ folder: FilePath) -> Bool {
    // What cannot be removed stays for the next who looks.
    do throws(SystemError) {
      let alive = try open(folder, PeerFolder.alive)
      guard try alive.tryLock(.exclusive) else { return false }
      let grave = FilePath(bytes: Array("dead-".utf8) + folder.bytes)
      try FileSystem.rename(folder, to: grave, .noReplace, at: descriptor.number)
      return remove(grave)
    } catch {
      return false
    }
  }

  /// Removes what builders and sweepers left behind when they were killed.
  func sweepLeftovers(_ names: [[UInt8]]) {
    for name in names {
      if name.starts(with: Array("dead-".utf8)) {
        _ = remove(FilePath(bytes: name))
      } else if name.starts(with: Array("new-".utf8)), isAbandoned(name) {
        _ = remove(FilePath(bytes: name))
      }
    }
  }

  /// Whether the builder of this unfinished folder is gone: building takes no minute.
  private func isAbandoned(_ name: [UInt8]) -> Bool {
    let folder = FilePath(bytes: name)
    // If it cannot be told, it stays.
    guard let status = try? FileStatus(of: folder, at: descriptor.number),
      let alive = try? isAlive(folder), !alive
    else { return false }
    let now = WallClock.seconds
    return now > status.changed.seconds + 60
      && PeerFolder.process(named: Array(name.dropFirst(4)))?.state != .running
  }

  private func open(_ folder: FilePath, _ name: FilePath) throws(SystemError) -> Descriptor {
    try Descriptor.open(
      folder.appending(name.bytes),
      [.readOnly, .noFollow, .nonBlocking],
      at: descriptor.number
    )
  }

  private func remove(_ folder: FilePath) -> Bool {
    // As in `sweep`: what cannot be removed stays for the next who looks.
    guard
      let directory = try? Descriptor.open(
        folder,
        [.readOnly, .directory, .noFollow],
        at: descriptor.number
      ),
      let names = try? FileSystem.list(directory, named: path)
    else { return false }
    for name in names {
      try? FileSystem.removeFile(folder.appending(name), at: descriptor.number)
    }
    try? FileSystem.removeDirectory(folder, at: descriptor.number)
    return names.contains(Array(PeerFolder.presenters.bytes))
  }
}
