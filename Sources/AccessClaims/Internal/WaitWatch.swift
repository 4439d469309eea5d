import CoordinationRuntime
import LinuxSystem

/// Looks, every now and then, whether a wait can still end.
///
/// Used by the waiting thread itself.
final class WaitWatch {
  private let table: ClaimTable
  private let record: Int32
  private let mayHavePartners: Bool
  private let began = MonotonicInstant.now
  private var nextLook: MonotonicInstant
  private var nextSearch: MonotonicInstant
  /// The cycle that was seen last time: only one that stays is a deadlock.
  private var suspect: [ClaimID] = []

  init(table: ClaimTable, record: Int32, purpose: Purpose) {
    self.table = table
    self.record = record
    mayHavePartners = purpose.mayBeShared
    nextLook = began + .seconds(2)
    nextSearch = began
  }

  /// When the thread must be up again.
  func next(_ deadline: MonotonicInstant?) -> MonotonicInstant {
    let own = mayHavePartners ? min(nextLook, nextSearch) : nextLook
    return deadline.map { min($0, own) } ?? own
  }

  /// Looks, if it is time to; the failure with which the wait must end, if it must.
  func look() -> ClaimFailure? {
    let now = MonotonicInstant.now
    if mayHavePartners, now >= nextSearch {
      nextSearch = now + .milliseconds(100)
      table.seekPartner(record)
    }
    guard now >= nextLook else { return nil }
    nextLook = now + .milliseconds(500)
    passOverStopped()
    return deadlock()
  }

  /// The failure of a claim that is to give way in a cycle of claims that wait for each other.
  private func deadlock() -> ClaimFailure? {
    let (table, record) = (table, record)
    let number = table.withState { state -> UInt64? in
      let record = state.records[Int(record)]
      return record.waitingNode == nil || record.outer.isEmpty && record.passes.isEmpty
        ? nil : record.number
    }
    // A board that cannot be read shows no cycle: then the wait just goes on.
    guard let number, let entries = try? BoardEntry.all(in: table.runtime),
      let own = entries.first(where: { $0.id.number == number && $0.id.process == table.process }),
      let cycle = WaitGraph(entries: entries).cycle(through: own)
    else {
      suspect = []
      return nil
    }
    let ids = cycle.map(\.id)
    guard ids == suspect else {
      suspect = ids
      return nil
    }
    guard WaitGraph.victim(of: cycle)?.id == own.id else { return nil }
    return .wouldDeadlock(WaitGraph.describe(cycle))
  }

  /// A gate whose holder is stopped orders nobody: go on without it.
  private func passOverStopped() {
    let (table, record) = (table, record)
    let holder = table.withState { state -> ProcessIdentity? in
      let record = state.records[Int(record)]
      guard let index = record.waitingNode else { return nil }
      let node = state.node(index)
      state.pump(node)
      guard state.mayPassOver(record) else { return nil }
      return node.file?.header.gateHolder?.process
    }
    guard let holder, holder.state == .stopped else { return }
    table.withState { state in
      let record = state.records[Int(record)]
      guard let index = record.waitingNode, state.mayPassOver(record) else { return }
      let node = state.node(index)
      guard node.file?.header.gateHolder?.process == holder else { return }
      state.passOver(node, record)
    }
  }
}

extension TableState {
  func mayPassOver(_ record: ClaimRecord) -> Bool {
    !record.isExpress && record.phase != .node && record.phase != .elsewhere
  }

  /// Moves a waiting record past the gate.
  func passOver(_ node: Node, _ record: ClaimRecord) {
    guard node.file?.header.isUpgrading != true else { return }
    leaveQueue(node, record)
    record.hasPassed = true
    record.isExpress = true
    record.phase = .queued
    joinExpress(node, record)
    CoordinationTrace.record(.passedOver, claim: id(of: record), path: node.key.path)
    pump(node)
  }

  /// Opens the ring of moves; without it nobody follows: said in the trace.
  func openMoves() {
    do throws(RuntimeDirectoryError) { moves = try MoveRing(in: runtime) } catch {
      moves = nil
      CoordinationTrace.record(.diagnostic, path: runtime.path, "no ring of moves: \(error)")
    }
  }
}
