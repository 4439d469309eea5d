import LinuxSystem

/// Where the tree is whose files wrappers were read from, or last written to.
///
/// All wrappers of one tree share it, so that a moved package costs one change.
final class PackageRoot: Sendable {
  private let state: Mutex<FilePath>
  init(_ path: FilePath) { state = Mutex(path) }

  var path: FilePath { state.withLock { $0 } }
  func move(to path: FilePath) { state.withLock { $0 = path } }
}
