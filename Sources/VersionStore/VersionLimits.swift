/// How much of the past is kept.
///
/// Unresolved conflict versions are never pruned: they are somebody's text.
package struct VersionLimits: Sendable, Hashable {
  /// Versions older than this go, in seconds; a discardable version half as old goes too.
  package var age: Int64 = 90 * 24 * 3600
  /// At most so many versions of one item.
  package var count = 100
  /// At most so many bytes for all items together.
  package var size: Int64 = 2 << 30
  package init() {}

  /// Which of `versions` (all there are) must go, oldest first.
  package func excess(of versions: [StoredVersion], now: Int64) -> [StoredVersion] {
    let candidates = versions.filter { !$0.isConflict || $0.isResolved }
      .sorted { ($0.added, $0.id) < ($1.added, $1.id) }
    var doomed: Set<StoredVersion.ID> = []
    for version in candidates where version.added < now - (version.isDiscardable ? age / 2 : age) {
      doomed.insert(version.id)
    }
    for (_, group) in Dictionary(grouping: candidates, by: \.item) {
      let kept = group.filter { !doomed.contains($0.id) }
      for version in kept.dropLast(count) { doomed.insert(version.id) }
    }
    var total = versions.filter { !doomed.contains($0.id) }.reduce(0) { $0 + $1.size }
    // What may be discarded goes first, then what is oldest.
    let byWorth = candidates.filter(\.isDiscardable) + candidates.filter { !$0.isDiscardable }
    for version in byWorth where total > size && !doomed.contains(version.id) {
      doomed.insert(version.id)
      total -= version.size
    }
    return candidates.filter { doomed.contains($0.id) }
  }
}
