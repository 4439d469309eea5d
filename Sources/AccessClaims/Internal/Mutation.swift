import LinuxSystem

/// Faults that are put in on purpose, to see that the checkers catch them.
///
/// Compiled only with `CLAIM_MUTATIONS`; then `FILE_COORDINATION_MUTATION` names the one to use.
enum Mutation: String {
  /// Trust the mark as it was before the node was taken.
  case skipSecondLook = "skip-second-look"
  /// Do not lock the item node of a write.
  case skipNode = "skip-node"
  /// Remove the lock file when a write ends.
  case unlinkLockFile = "unlink-lock-file"
  /// Do not look again whether the path still stands for what was locked.
  case skipVerify = "skip-verify"

  #if CLAIM_MUTATIONS
  private static let chosen = Environment.value(of: "FILE_COORDINATION_MUTATION")
    .flatMap { Mutation(rawValue: $0.description) }
  static func isOn(_ mutation: Mutation) -> Bool { chosen == mutation }
  #else
  @inline(__always) static func isOn(_ mutation: Mutation) -> Bool { false }
  #endif
}
