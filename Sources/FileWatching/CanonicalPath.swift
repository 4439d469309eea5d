import LinuxSystem

/// Paths without links, also for what is not there yet.
enum CanonicalPath {
  /// `path` with its parent directory resolved, the last component kept; the whole path resolved
  /// where `followingLink` says so and it leads to something.
  ///
  /// Where parents do not exist the longest existing beginning is resolved.
  static func of(_ path: FilePath, followingLink: Bool) -> FilePath {
    // What cannot be resolved keeps its spelling: it is watched for under that.
    if followingLink, let resolved = try? FileSystem.realPath(path) { return resolved }
    guard let name = path.lastComponent, let parent = path.parent else { return path }
    return directory(parent).appending(name)
  }

  private static func directory(_ path: FilePath) -> FilePath {
    // The cheap question first: most paths have no links.
    if Descriptor.isFreeOfLinks(path) == true, !hasDots(path) { return trimmed(path) }
    if let resolved = try? FileSystem.realPath(path) { return resolved }
    guard let name = path.lastComponent, let parent = path.parent else { return path }
    return directory(parent).appending(name)
  }

  private static func hasDots(_ path: FilePath) -> Bool {
    path.bytes.split(separator: .slash, omittingEmptySubsequences: true)
      .contains { $0.elementsEqual([0x2e]) || $0.elementsEqual([0x2e, 0x2e]) }
  }

  /// Without doubled slashes and one at the end.
  private static func trimmed(_ path: FilePath) -> FilePath {
    var result = FilePath("/")
    for part in path.bytes.split(separator: .slash, omittingEmptySubsequences: true) {
      result = result.appending(part)
    }
    return result
  }
}
