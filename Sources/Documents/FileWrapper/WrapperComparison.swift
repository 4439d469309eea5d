import LinuxSystem

/// Whether a wrapper is what is on disk.
enum WrapperComparison {
  static func matches(_ wrapper: FileWrapper, _ path: FilePath) throws -> Bool {
    guard let known = wrapper.origin.known.status else { return false }
    let now = try FileStatus(of: path)
    guard now.kind == known.kind else { return false }
    switch wrapper.content {
    case .regular: return now.isUnchanged(since: known)
    case .link(let target): return try FileSystem.readLink(path) == target
    case .directory: return try matchesInside(wrapper, path)
    }
  }

  private static func matchesInside(_ wrapper: FileWrapper, _ path: FilePath) throws -> Bool {
    let names = Set(try FileSystem.list(path))
    let children = try wrapper.loadChildren().byKey
    guard names.count == children.count else { return false }
    return try children.allSatisfy { key, child in
      let name = child.diskName ?? Array(key.utf8)
      return try names.contains(name) && matches(child.wrapper, path.appending(name))
    }
  }
}
