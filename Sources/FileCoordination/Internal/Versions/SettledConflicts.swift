import LinuxSystem
package import VersionStore

/// Conflict versions that this process itself resolved or removed.
///
/// Whoever holds unsaved text must know: a conflict that its own program settled is settled, one that
/// another program settled was settled without knowing that text.
package enum SettledConflicts {
  private static let settled = PerProcess<Set<StoredVersion.ID>>([])

  static func add(_ version: StoredVersion) {
    guard version.isConflict else { return }
    settled.withLock { settled in
      // Numbers are never used again; the oldest conflicts concern nobody any more.
      if settled.count >= 10_000 { settled = [] }
      settled.insert(version.id)
    }
  }

  /// Whether this process settled it.
  package static func contains(_ id: StoredVersion.ID) -> Bool {
    settled.withLock { $0.contains(id) }
  }
}
