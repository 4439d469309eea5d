import LinuxSystem

/// How a watcher spells paths: its own may go through links.
struct PathSpelling {
  /// A directory without links, and how the watcher calls it.
  let canonicalBase: FilePath
  let spelledBase: FilePath

  /// What the watcher said, and what it means: the longest common ending is cut off, because
  /// whatever lies beside it is spelled alike.
  init(canonical: FilePath, spelled: FilePath) {
    var canonical = canonical
    var spelled = spelled
    while canonical != spelled, let a = canonical.lastComponent, a == spelled.lastComponent,
      let above = canonical.parent, let spelledAbove = spelled.parent
    {
      canonical = above
      spelled = spelledAbove
    }
    canonicalBase = canonical
    spelledBase = spelled
  }

  /// A canonical path in the watcher's spelling; unchanged where the watcher has none for it.
  func spelled(_ path: FilePath) -> FilePath {
    if canonicalBase == spelledBase { return path }
    return path.rebased(from: canonicalBase, to: spelledBase) ?? path
  }
}
