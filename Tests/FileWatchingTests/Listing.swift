import FileWatching
import LinuxSystem

/// What is below a directory, and what reports make of it.
enum Listing {
  /// Every path below `root` with its inode; links are not followed.
  static func of(_ root: FilePath) throws(SystemError) -> [FilePath: UInt64] {
    var found: [FilePath: UInt64] = [:]
    for name in try FileSystem.list(root) {
      let path = root.appending(name)
      let status = try FileStatus(of: path)
      found[path] = status.inode
      if status.kind == .directory { found.merge(try of(path)) { $1 } }
    }
    return found
  }

  /// The paths that are there after `events`, by the events alone.
  static func paths(_ before: Set<FilePath>, after events: [ChangeEvent], in root: FilePath)
    -> Set<FilePath>
  {
    var paths = before
    for event in events {
      switch event {
      case .subitemAppeared(let path): paths.insert(path)
      case .subitemDeleted(let path): paths = paths.filter { $0 != path && !$0.isInside(path) }
      case .subitemMoved(let old, let new):
        paths = Set(paths.map { $0.rebased(from: old, to: new) ?? $0 })
        paths = paths.filter { $0.isInside(root) }
      default: break
      }
    }
    return paths
  }
}
