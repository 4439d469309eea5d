import LinuxSystem
import struct Synchronization.Atomic

/// Faults that are put in on purpose, to see that the checkers catch them.
///
/// Compiled only with `CLAIM_MUTATIONS`; then `FILE_COORDINATION_MUTATION` names the one to use.
package enum Mutation: String {
  /// No fault: what the others add besides their fault, a pause, is there alone.
  case none
  /// Trust the mark as it was before the node was taken.
  case skipSecondLook = "skip-second-look"
  /// Do not lock the item node of a write.
  case skipNode = "skip-node"
  /// Remove the lock file when a write ends.
  case unlinkLockFile = "unlink-lock-file"
  /// Do not look again whether the path still stands for what was locked.
  case skipVerify = "skip-verify"
  /// Tell other processes nothing of one write in three.
  case dropNotice = "drop-notice"

  #if CLAIM_MUTATIONS
  private static let chosen = Environment.value(of: "FILE_COORDINATION_MUTATION")
    .flatMap { Mutation(rawValue: $0.description) }
  private static let writes = Atomic<UInt64>(0)
  private static let locks = Atomic<UInt64>(0)

  /// Whether this fault is the one to make.
  package static func isOn(_ mutation: Mutation) -> Bool { chosen == mutation }

  /// Between the first look at the mark and the lock: makes the moment, now and then, long enough for
  /// somebody to come to stand in line.
  package static func pauseBeforeLocking() {
    guard chosen == .skipSecondLook || chosen == Mutation.none else { return }
    guard locks.wrappingAdd(1, ordering: .relaxed).newValue % 8 == 0 else { return }
    ShortPause.run(until: .now + .milliseconds(4))
  }

  /// Whether the notice of this write is to be lost.
  package static func losesNotice() -> Bool {
    chosen == .dropNotice && writes.wrappingAdd(1, ordering: .relaxed).newValue % 3 == 0
  }
  #else
  @inlinable package static func isOn(_ mutation: Mutation) -> Bool { false }
  @inlinable package static func pauseBeforeLocking() {}
  @inlinable package static func losesNotice() -> Bool { false }
  #endif
}
