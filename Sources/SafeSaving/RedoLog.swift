import CoordinationRuntime
import LinuxSystem

/// New and old contents of a file that is about to be overwritten, and the promise to finish it.
///
/// A directory in `$XDG_STATE_HOME/file-coordination/overwriting`, named by a hash of the path. It is
/// locked while its process lives. `new` becomes `committed` once everything in it is on the device:
/// from then on the overwriting is finished, by this process or by the next one that saves the file.
final class RedoLog {
  let directory: FilePath
  private let lock: Descriptor

  var new: FilePath { directory.appending("new") }
  var old: FilePath { directory.appending("old") }
  private var committed: FilePath { directory.appending("committed") }

  /// An empty log for a file.
  init(for target: FilePath) throws(SystemError) {
    let directory = try Self.place(of: target)
    if let base = directory.parent { try FileSystem.makeDirectories(base) }
    // Left over without `committed`, or Self.recover would have taken it.
    do throws(SystemError) { try FileSystem.removeTree(directory) } catch
      where error.code == .noEntry
    {}
    try FileSystem.makeDirectory(directory, mode: 0o700)
    self.directory = directory
    lock = try Descriptor.open(directory, [.readOnly, .directory])
    _ = try lock.tryLock(.exclusive)
  }

  private init(existing directory: FilePath, _ lock: consuming Descriptor) {
    self.directory = directory
    self.lock = lock
  }

  private static func place(of target: FilePath) throws(SystemError) -> FilePath {
    let hash = target.stableHash
    let name = String(hash.0, radix: 16) + String(hash.1, radix: 16)
    return try UserDirectory.state().appending("overwriting").appending(name)
  }

  /// Everything is written: makes it last.
  func commit() throws(SystemError) {
    try FileSystem.synchronizeTree(directory)
    try FileSystem.rename(new, to: committed)
    try lock.synchronize()
  }

  func replay(onto target: FilePath) throws(SystemError) { try put(committed, onto: target) }
  func undo(on target: FilePath) throws(SystemError) { try put(old, onto: target) }

  /// From the front to the end, then the length: whatever was cut short is new, then old.
  private func put(_ source: FilePath, onto target: FilePath) throws(SystemError) {
    let from = try Descriptor.open(source, .readOnly)
    let to = try Descriptor.open(target, [.writeOnly, .noFollow, .nonBlocking])
    var length = 0
    while true {
      let part = try from.read(1 << 20, at: length)
      if part.isEmpty { break }
      try to.write(part, at: length)
      length += part.count
    }
    try to.setLength(length)
    try to.synchronize()
  }

  func discard() {
    // What cannot be removed is removed by the next save of this file.
    try? FileSystem.removeTree(directory)
  }

  /// Finishes an overwriting of `target` that a crash cut short, if there was one.
  ///
  /// One system call where there was none. If somebody else wrote the file since, it stays as it is,
  /// and so do the copies.
  static func recover(_ target: FilePath) throws(SystemError) {
    let directory = try place(of: target)
    let lock: Descriptor
    do throws(SystemError) {
      lock = try Descriptor.open(directory, [.readOnly, .directory])
    } catch { return }
    guard try lock.tryLock(.exclusive) else { return }
    let log = RedoLog(existing: directory, lock)
    guard (try? FileStatus(of: log.committed)) != nil else { return log.discard() }
    if try log.isCutShort(target) {
      try log.replay(onto: target)
      log.discard()
    }
  }

  /// Whether the file is what an interrupted ``replay(onto:)`` leaves: a front of the new, then old.
  private func isCutShort(_ target: FilePath) throws(SystemError) -> Bool {
    let new = try Descriptor.open(committed, .readOnly).readToEnd()
    let old = try Descriptor.open(old, .readOnly).readToEnd()
    let now = try Descriptor.open(target, [.readOnly, .noFollow, .nonBlocking]).readToEnd()
    var front = 0
    while front < min(new.count, now.count), new[front] == now[front] { front += 1 }
    if front == new.count, now.count == new.count { return true }
    let rest = old.count > front ? old[front...] : []
    return now[front...].elementsEqual(rest)
  }
}
