package import CoordinationRuntime
package import LinuxSystem

/// What one call wants to do with which items.
package struct ClaimRequest: Sendable {
  /// How an item is used.
  package enum Access: UInt8, Sendable, Hashable {
    case read
    /// A write that leaves what is inside a directory alone: plain, merging, metadata only.
    case write
    /// A write that ends or replaces the item and all it holds: deleting, replacing.
    case structuralWrite
    /// A move: structural for a directory, a plain write for a file.
    case movingWrite
  }

  /// One item of a call.
  package struct Item: Sendable {
    /// Absolute, as the caller spelled it.
    package var path: FilePath
    package var access: Access
    /// Whether a link stands for what it points to.
    package var followsLink: Bool
    /// Whether the claim goes along when the item is moved while it waits (not for replacing).
    package var followsMoves: Bool

    package init(
      path: FilePath,
      access: Access,
      followsLink: Bool = false,
      followsMoves: Bool = true
    ) {
      self.path = path
      self.access = access
      self.followsLink = followsLink
      self.followsMoves = followsMoves
    }
  }

  package var items: [Item]
  package var purpose: Purpose
  /// When waiting ends with ``ClaimFailure/timedOut``; nil: never.
  package var deadline: MonotonicInstant?
  /// Askers whom this claim's presenter owes an answer: their gates do not stop it.
  ///
  /// Asked by the waiting thread, again each time it wakes; never while the claim need not wait.
  package var passesGatesOf: @Sendable () -> Set<ClaimID>
  /// Whether a child process may go on holding the locks: each node gets an open file description of
  /// its own, which is closed and never unlocked.
  package var isInheritable: Bool

  package init(
    items: [Item],
    purpose: Purpose,
    deadline: MonotonicInstant? = nil,
    passesGatesOf: @escaping @Sendable () -> Set<ClaimID> = { [] },
    isInheritable: Bool = false
  ) {
    self.items = items
    self.purpose = purpose
    self.deadline = deadline
    self.passesGatesOf = passesGatesOf
    self.isInheritable = isInheritable
  }
}
