import LinuxSystem

/// The file a wrapper stands for: where it is, and what it was when it was last seen.
///
/// A wrapper and its snapshots share it: what a snapshot writes is known to the wrapper.
final class FileOrigin: Sendable {
  struct Known: Sendable {
    /// Its name, for the wrapper's `filename`.
    var filename: String?
    var root: PackageRoot?
    /// Its path in the root; nil for the root itself.
    var relative: FilePath?
    /// What it was; nil for what is in memory only.
    var status: FileStatus?

    /// Where it is.
    var path: FilePath? {
      guard let root else { return nil }
      return relative.map { root.path.appending($0.bytes) } ?? root.path
    }
  }
  private let state: Mutex<Known>

  init(_ known: Known = Known()) { state = Mutex(known) }

  var known: Known {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  func setFilename(_ filename: String?) { state.withLock { $0.filename = filename } }
}

extension FileOrigin.Known {
  /// What is known of the file `name` in the directory that this is known of.
  func child(_ name: [UInt8], _ status: FileStatus? = nil) -> FileOrigin.Known {
    FileOrigin.Known(
      filename: String(decoding: name, as: UTF8.self),
      root: root,
      relative: relative?.appending(name) ?? FilePath(bytes: name),
      status: status
    )
  }
}

extension FileStatus {
  /// Whether this is the same file with the same contents as `other`, as far as can be told.
  ///
  /// The time of the last status change is left out: giving a file one more name changes it.
  func isUnchanged(since other: FileStatus) -> Bool {
    isSameFile(as: other) && kind == other.kind && size == other.size && modified == other.modified
  }
}
