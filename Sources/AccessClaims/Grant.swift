package import CoordinationRuntime
package import LinuxSystem

/// What was granted for one requested item.
package struct Grant: Sendable {
  /// What the item turned out to be.
  package let identity: ItemIdentity
  /// The path the accessor gets: the caller's own spelling unless the item was moved or a link was
  /// followed.
  package let path: FilePath
  /// Whether the item was moved while the claim waited.
  package let wasMoved: Bool
}
