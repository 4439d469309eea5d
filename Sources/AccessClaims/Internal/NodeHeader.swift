import LinuxSystem

/// The first bytes of a lock file, mapped by every process that uses it.
///
/// | offset | word | meaning |
/// |---|---|---|
/// | 0 | mark | not 0: somebody waits, or waited; enter through the gate |
/// | 4 | dead | not 0: the janitor removed the file; open it anew |
/// | 8 | generation | counts exclusive grants; may wrap |
/// | 12 | gate pid | who holds the gate, 0 when it is open |
/// | 16 | gate started | that process's start, so that no other is mistaken for it |
/// | 24 | gate claim | the number of the claim that holds the gate |
/// | 32 | path length | bytes of the path from offset 64 on, for people |
/// | 36 | in line | processes that wait for the gate |
/// | 40 | passers | claims that wait at the node without going through the gate |
/// | 44 | upgrading | not 0: readers' lock is given up for the moment, under the gate |
/// | 48, 56 | last passer | the process that was counted last: pid, start |
///
/// Every word is a hint that costs or saves time, except `dead`, which is only set under the locks.
/// A process that dies leaves at worst a set mark and a stale gate holder.
struct NodeHeader {
  static let size = 64
  private let map: MappedFile

  init(_ map: MappedFile) { self.map = map }

  var isMarked: Bool { map.load32(0) != 0 }
  func mark() { map.store32(1, at: 0) }
  func clearMark() { map.store32(0, at: 0) }

  var isDead: Bool { map.load32(4) != 0 }
  func markDead() { map.store32(1, at: 4) }
  func revive() { map.store32(0, at: 4) }

  var generation: UInt32 { map.load32(8) }
  func countGrant() { map.add32(1, at: 8) }

  /// Who holds the gate and for which claim; nil when it is open or not said yet.
  var gateHolder: (process: ProcessIdentity, claim: UInt64)? {
    let pid = map.load32(12)
    guard pid != 0 else { return nil }
    return (
      ProcessIdentity(pid: Int32(bitPattern: pid), started: map.load64(16)), map.load64(24)
    )
  }

  func setGateHolder(_ process: ProcessIdentity, claim: UInt64) {
    map.store64(process.started, at: 16)
    map.store64(claim, at: 24)
    map.store32(UInt32(bitPattern: process.pid), at: 12)
  }

  func clearGateHolder() { map.store32(0, at: 12) }

  /// Whether a process waits for the gate; one that was killed there counts until it is forgotten.
  var hasLine: Bool { map.load32(36) != 0 }
  func joinLine() { map.add32(1, at: 36) }
  func leaveLine() {
    // Somebody may have set it to 0 meanwhile.
    let before = map.load32(36)
    if before != 0 { _ = map.exchange32(before, for: before - 1, at: 36) }
  }
  func forgetLine() { map.store32(0, at: 36) }

  func addPasser(_ process: ProcessIdentity) {
    map.store64(process.started, at: 56)
    map.store32(UInt32(bitPattern: process.pid), at: 48)
    map.add32(1, at: 40)
  }
  func removePasser() {
    let before = map.load32(40)
    if before != 0 { _ = map.exchange32(before, for: before - 1, at: 40) }
  }
  /// Whether somebody waits without the gate.
  ///
  /// Those who were killed there are forgotten when the last one that came is dead.
  var hasPasser: Bool {
    guard map.load32(40) != 0 else { return false }
    let last = ProcessIdentity(
      pid: Int32(bitPattern: map.load32(48)),
      started: map.load64(56)
    )
    guard last.state == .gone else { return true }
    map.store32(0, at: 40)
    return false
  }

  var isUpgrading: Bool { map.load32(44) != 0 }
  func beginUpgrade() { map.store32(1, at: 44) }
  func endUpgrade() { map.store32(0, at: 44) }

  func setPathLength(_ count: Int) { map.store32(UInt32(count), at: 32) }
}
