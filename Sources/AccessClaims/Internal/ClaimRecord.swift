import CoordinationRuntime
import LinuxSystem

/// One lock that a claim needs.
struct Need {
  let node: Int32
  let mode: LockMode
  /// An item or tree node of a requested item, not the tree of a directory above.
  let isTarget: Bool
  var isHeld = false
}

/// A claim as the table sees it.
///
/// Reused. Confined to the table's mutex.
final class ClaimRecord {
  /// Where a claim stands.
  enum State {
    case free, taking, waiting, granted, asking
    case failed(ClaimFailure)
  }
  /// How target nodes are entered.
  enum Stage {
    case normal
    /// Through the gate, which is kept: presenters will be asked.
    case gating
    /// Without the gate, which is held.
    case retaking
  }
  /// How far a waiting claim is at the node where it waits.
  ///
  /// `elsewhere`: it stands in no queue, a partner in another process is asked to let it in.
  enum Phase { case queued, polite, gate, node, elsewhere }

  let index: Int32
  @exclusivity(unchecked) var number: UInt64 = 0
  @exclusivity(unchecked) var purpose = Purpose(identifier: "", mayBeShared: false)
  /// Claims whose accessors were running on the thread that made this one.
  @exclusivity(unchecked) var outer: [UInt64] = []
  @exclusivity(unchecked) var thread: UInt32 = 0
  @exclusivity(unchecked) var passes: Set<ClaimID> = []
  @exclusivity(unchecked) var isInheritable = false
  @exclusivity(unchecked) var items: [PlanEntry] = []
  @exclusivity(unchecked) var accesses: [ClaimRequest.Access] = []
  @exclusivity(unchecked) var needs: [Need] = []
  /// The need that is taken next.
  @exclusivity(unchecked) var position = 0
  @exclusivity(unchecked) var state = State.free
  @exclusivity(unchecked) var stage = Stage.normal
  /// Descriptions of its own, by need: inheritable claims.
  @exclusivity(unchecked) var own: [(need: Int, description: SharedDescriptor)] = []
  /// Gates kept while presenters are asked, by need.
  @exclusivity(unchecked) var gates: [(need: Int, gate: SharedDescriptor)] = []
  /// Since when, at the latest, this process holds without a break the trees that the record holds.
  @exclusivity(unchecked) var heldSince: UInt64 = 0
  @exclusivity(unchecked) var phase = Phase.queued
  /// Until when it lets those in line go first.
  @exclusivity(unchecked) var politeUntil: UInt64 = 0
  /// Had to wait in the kernel, for gate or node, on the present node.
  @exclusivity(unchecked) var hasWaited = false
  /// Was not granted at the first try: moves may have happened meanwhile.
  @exclusivity(unchecked) var wasSlow = false
  @exclusivity(unchecked) var isExpress = false
  /// Passed over a gate: it waits at no further one, or it could meet the same asker again.
  @exclusivity(unchecked) var hasPassed = false
  /// Counted in its node's header as waiting there without the gate.
  @exclusivity(unchecked) var isCountedPasser = false
  /// A partner in another process is being asked.
  @exclusivity(unchecked) var isSeeking = false
  @exclusivity(unchecked) var waiter: (any ClaimWaiter)?
  /// The thread that made it comes back to block in the kernel; otherwise a thread of ours does.
  @exclusivity(unchecked) var blocksItself = false
  /// What its own thread is to block on.
  @exclusivity(unchecked) var wait: KernelWait?
  @exclusivity(unchecked) var since: UInt64 = 0
  @exclusivity(unchecked) var slot: Int32 = -1

  init(index: Int32) { self.index = index }

  /// The node where it waits, if it does.
  var waitingNode: Int32? {
    guard case .waiting = state else { return nil }
    return needs[position].node
  }

  /// It holds this tree, too.
  func noteHeld(_ node: Node) { heldSince = max(heldSince, node.heldSince) }

  func reset() {
    heldSince = 0
    // Emptying an empty array costs 500 instructions.
    if !outer.isEmpty { outer.removeAll(keepingCapacity: true) }
    if !passes.isEmpty { passes.removeAll(keepingCapacity: true) }
    if !items.isEmpty { items.removeAll(keepingCapacity: true) }
    if !accesses.isEmpty { accesses.removeAll(keepingCapacity: true) }
    if !needs.isEmpty { needs.removeAll(keepingCapacity: true) }
    if !own.isEmpty { own.removeAll(keepingCapacity: true) }
    if !gates.isEmpty { gates.removeAll(keepingCapacity: true) }
    position = 0
    state = .free
    stage = .normal
    phase = .queued
    politeUntil = 0
    hasWaited = false
    wasSlow = false
    isExpress = false
    hasPassed = false
    isSeeking = false
    isInheritable = false
    waiter = nil
    blocksItself = false
    wait = nil
  }
}
