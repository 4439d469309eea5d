import CoordinationRuntime
import LinuxSystem

/// Looks, every now and then, whether a wait can still end.
///
/// Used by the waiting thread itself.
final class WaitWatch {
  private let table: ClaimTable
  private let record: Int32
  private var nextLook = MonotonicInstant.now + .seconds(2)

  init(table: ClaimTable, record: Int32) {
    self.table = table
    self.record = record
  }

  /// When the thread must be up again.
  func next(_ deadline: MonotonicInstant?) -> MonotonicInstant {
    deadline.map { min($0, nextLook) } ?? nextLook
  }

  /// Looks, if it is time to; the failure with which the wait must end, if it must.
  func look() -> ClaimFailure? {
    guard MonotonicInstant.now >= nextLook else { return nil }
    nextLook = MonotonicInstant.now + .seconds(1)
    passOverStopped()
    return nil
  }

  /// A gate whose holder is stopped orders nobody: go on without it.
  private func passOverStopped() {
    let (table, record) = (table, record)
    let holder = table.withState { state -> ProcessIdentity? in
      let record = state.records[Int(record)]
      guard let index = record.waitingNode else { return nil }
      let node = state.node(index)
      state.pump(node)
      guard !record.isExpress, record.phase != .node else { return nil }
      return node.file?.header.gateHolder?.process
    }
    guard let holder, holder.state == .stopped else { return }
    table.withState { state in
      let record = state.records[Int(record)]
      guard let index = record.waitingNode, !record.isExpress, record.phase != .node else { return }
      let node = state.node(index)
      guard node.file?.header.gateHolder?.process == holder else { return }
      state.passOver(node, record)
    }
  }
}

extension TableState {
  /// Moves a waiting record past the gate.
  func passOver(_ node: Node, _ record: ClaimRecord) {
    leaveQueue(node, record)
    if node.gateWait?.beneficiary == record.index { node.gateWait?.beneficiary = nil }
    record.isExpress = true
    record.phase = .queued
    node.express.append(record.index)
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
