package import CoordinationRuntime
package import LinuxSystem

/// Removes lock files that nobody has locked, when there are many.
///
/// Holders never remove theirs. The janitor takes a file's gate and lock, both exclusively and without
/// waiting, sets the dead flag and removes the names: whoever locks the file afterwards finds the flag
/// and opens the new one. Killed at any step it leaves at worst a file that is dead and still has its
/// name (the next one removes it), or a gate without a node, which is a plain file like any other.
package struct Janitor: Sendable {
  /// How many lock files may lie there before any is removed.
  package static let limit = 4096

  private let runtime: RuntimeDirectory

  package init(_ runtime: RuntimeDirectory) { self.runtime = runtime }

  /// Removes unlocked files until half of `limit` is left, if there are more than `limit`.
  ///
  /// Says how many it removed. Blocks for as long as the file system takes, never for a lock.
  /// - Throws: when the directory cannot be read.
  @discardableResult
  package func clean(limit: Int = limit) throws(SystemError) -> Int {
    let directory = try Descriptor.open(
      FilePath("."),
      [.readOnly, .directory],
      at: runtime.nodesDirectory.number
    )
    let names = try FileSystem.list(
      directory,
      named: runtime.path.appending(RuntimeDirectory.nodes.bytes)
    )
    let files = names.filter { $0.last == UInt8(ascii: "i") || $0.last == UInt8(ascii: "t") }
    guard files.count > limit else { return 0 }
    var removed = 0
    for name in files {
      if files.count - removed <= limit / 2 { break }
      // One that cannot be opened or removed now is left to the next time.
      if (try? remove(FilePath(bytes: name))) == true { removed += 1 }
    }
    CoordinationTrace.record(
      .diagnostic,
      path: runtime.path,
      "removed \(removed) of \(files.count) lock files"
    )
    return removed
  }

  private func remove(_ name: FilePath) throws(SystemError) -> Bool {
    let nodes = runtime.nodesDirectory.number
    var file = try Descriptor.open(name, [.readWrite, .noFollow, .nonBlocking], at: nodes)
    file.closeInForkedChild()
    let gateName = FilePath(bytes: Array(name.bytes) + [UInt8(ascii: "g")])
    let gate = try gate(gateName)
    if let gate, FileLock.attempt(gate.number, .exclusive) != nil { return false }
    guard FileLock.attempt(file.number, .exclusive) == nil else { return false }
    let status = try FileStatus(of: file)
    // Removed by somebody else before we had the lock: the name means another file by now.
    guard status.links > 0, status.kind == .regular else { return false }
    if status.size >= NodeHeader.size {
      let header = NodeHeader(try MappedFile(file, length: NodeHeader.size))
      header.markDead()
    }
    try FileSystem.removeFile(name, at: nodes)
    if gate != nil { try FileSystem.removeFile(gateName, at: nodes) }
    return true
  }

  private func gate(_ name: FilePath) throws(SystemError) -> SharedDescriptor? {
    do throws(SystemError) {
      var gate = try Descriptor.open(
        name,
        [.readWrite, .noFollow, .nonBlocking],
        at: runtime.nodesDirectory.number
      )
      gate.closeInForkedChild()
      return SharedDescriptor(gate)
    } catch  where error.code == .noEntry {
      return nil
    }
  }
}
