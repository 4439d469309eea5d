import CoordinationRuntime
import LinuxSystem

/// What a table of claims knows, and the rules by which it decides.
///
/// Everything here runs under the table's mutex and never blocks: locks are only tried, files of the
/// runtime directory opened. What has to happen afterwards is collected in ``actions``.
// Its stored properties are exempt from the run-time exclusivity checks, as are those of the other
// classes confined to the mutex: the checks were a fifth of an uncontended claim.
final class TableState {
  /// What is to be done once the mutex is free.
  struct Actions {
    var wakes: [any ClaimWaiter] = []
    var jobs: [KernelJob] = []
    /// When kept locks must be looked at: set when nobody was to look at them before.
    var sweepAt: UInt64 = 0
    /// The directory that the janitor should look at.
    var cleans: RuntimeDirectory?
    var isEmpty: Bool { wakes.isEmpty && jobs.isEmpty && cleans == nil && sweepAt == 0 }
  }

  @exclusivity(unchecked) var runtime: RuntimeDirectory
  /// When it was last seen that the directory is in its place, in monotonic nanoseconds.
  @exclusivity(unchecked) var runtimeSeenAt: UInt64 = 0
  /// Nodes whose locks are kept without need.
  @exclusivity(unchecked) var lingerers: [Int32] = []
  /// When a thread of ours looks at them next; 0: it will not.
  @exclusivity(unchecked) var nextSweep: UInt64 = 0
  /// Whether such a thread could be had so far.
  @exclusivity(unchecked) var canLinger = true
  @exclusivity(unchecked) var process: ProcessIdentity
  @exclusivity(unchecked) var board: ClaimBoard?
  @exclusivity(unchecked) var moves: MoveRing?
  @exclusivity(unchecked) var actions = Actions()
  /// Records that may go on, because a lock they waited for was taken for them.
  @exclusivity(unchecked) var ready: [Int32] = []

  @exclusivity(unchecked) var nodes: [Node?] = []
  @exclusivity(unchecked) var index: [NodeKey: Int32] = [:]
  /// Counts removals of nodes: plans of an older epoch hold dead indices.
  @exclusivity(unchecked) var epoch: UInt32 = 1
  @exclusivity(unchecked) private var freeNodes: [Int32] = []

  @exclusivity(unchecked) var plans: [PlanKey: PlanEntry] = [:]
  @exclusivity(unchecked) var records: [ClaimRecord] = []
  @exclusivity(unchecked) private var freeRecords: [Int32] = []
  @exclusivity(unchecked) var waits: [UInt64: KernelWait] = [:]
  @exclusivity(unchecked) private var lastWait: UInt64 = 0

  let descriptors = DescriptorCount()
  let budget: Int
  /// Counts claims; orders nodes by last use.
  @exclusivity(unchecked) var tick: UInt64 = 0
  /// The monotonic clock at the begin of the present critical section.
  @exclusivity(unchecked) var now: UInt64 = 0

  init(_ runtime: RuntimeDirectory, budget: Int) {
    self.runtime = runtime
    self.budget = budget
    process = .current
  }

  // MARK: - Records

  func makeRecord(number: UInt64, _ request: ClaimRequest) -> ClaimRecord {
    let record: ClaimRecord
    if let free = freeRecords.popLast() {
      record = records[Int(free)]
    } else {
      record = ClaimRecord(index: Int32(records.count))
      records.append(record)
    }
    record.number = number
    record.purpose = request.purpose
    record.isInheritable = request.isInheritable
    record.thread = ThreadClaims.thread
    if !ThreadClaims.isEmpty { record.outer = ThreadClaims.numbers }
    record.state = .taking
    return record
  }

  func freeRecord(_ record: ClaimRecord) {
    board?.clear(record)
    record.reset()
    freeRecords.append(record.index)
  }

  /// A record's claim, as other processes know it.
  func id(of record: ClaimRecord) -> ClaimID { ClaimID(process: process, number: record.number) }

  // MARK: - Nodes

  func node(_ index: Int32) -> Node {
    guard let node = nodes[Int(index)] else { preconditionFailure("a needed node stays") }
    return node
  }

  func nodeIndex(_ path: FilePath, _ kind: NodeKind) -> Int32 {
    let key = NodeKey(path: path, kind: kind)
    if let found = index[key] { return found }
    let slot = freeNodes.popLast() ?? Int32(nodes.count)
    let node = Node(key, index: slot)
    node.lastUsed = tick
    if Int(slot) == nodes.count { nodes.append(node) } else { nodes[Int(slot)] = node }
    index[key] = slot
    return slot
  }

  /// Closes the files of nodes that nobody here uses, those used longest ago first.
  ///
  /// - Parameter share: which part of the idle ones goes.
  func evict(share: Double) {
    endAllLingering()
    let idle = nodes.compactMap { $0 }.filter { $0.isIdle }.sorted { $0.lastUsed < $1.lastUsed }
    let count = max(Int(Double(idle.count) * share), min(idle.count, 1))
    for node in idle.prefix(count) {
      index[node.key] = nil
      nodes[Int(node.index)] = nil
      freeNodes.append(node.index)
    }
    epoch &+= 1
    if plans.count > 4 * budget { plans.removeAll(keepingCapacity: true) }
  }

  // MARK: - Plans

  /// Brings a plan's node indices up to date.
  func locate(_ entry: PlanEntry) {
    guard entry.epoch != epoch else { return }
    let claimed = entry.plan.identity.claimed
    entry.trees = claimed.ancestors.map { nodeIndex($0, .tree) }
    entry.item = nodeIndex(claimed, .item)
    entry.tree = -1
    entry.epoch = epoch
  }

  func treeIndex(_ entry: PlanEntry) -> Int32 {
    if entry.tree < 0 { entry.tree = nodeIndex(entry.plan.identity.claimed, .tree) }
    return entry.tree
  }

  /// The write generations of the directories above, added up: changes when one of them changes.
  func stamp(_ entry: PlanEntry) -> UInt64 {
    var sum: UInt64 = 0
    for tree in entry.trees {
      if let file = node(tree).file { sum &+= UInt64(file.header.generation) }
    }
    return sum
  }

  /// Whether what is known of the packages above an item still counts.
  ///
  /// As long as this process holds the trees without a break since it compared the stamp, nobody can have
  /// changed it.
  func knowsPackages(of entry: PlanEntry, _ record: ClaimRecord) -> Bool {
    if now &- entry.packagesReadAt > 1_000_000_000 { return false }
    if entry.stampSeenAt >= record.heldSince { return true }
    guard stamp(entry) == entry.stamp else { return false }
    entry.stampSeenAt = now
    return true
  }

  /// Fills in the locks that the record's items need, in the one order that all claims keep.
  func makeNeeds(_ record: ClaimRecord) {
    tick &+= 1
    if descriptors.value > budget { evict(share: 0.25) }
    for entry in record.items { locate(entry) }
    if record.items.count == 1 {
      appendNeeds(record, record.items[0], record.accesses[0])
    } else {
      for (entry, access) in zip(record.items, record.accesses) {
        appendNeeds(record, entry, access)
      }
      merge(record)
    }
    for need in record.needs { node(need.node).users += 1 }
  }

  private func appendNeeds(
    _ record: ClaimRecord,
    _ entry: PlanEntry,
    _ access: ClaimRequest.Access
  ) {
    for tree in entry.trees {
      record.needs.append(Need(node: tree, mode: .shared, isTarget: false))
    }
    let mode: LockMode = access == .read ? .shared : .exclusive
    if Mutation.isOn(.skipNode), mode == .exclusive { return }
    record.needs.append(Need(node: entry.item, mode: mode, isTarget: true))
    if access == .structuralWrite {
      record.needs.append(Need(node: treeIndex(entry), mode: .exclusive, isTarget: true))
    }
  }

  /// The union of the needs, the strongest mode each, in path order, item before tree.
  private func merge(_ record: ClaimRecord) {
    record.needs.sort { a, b in
      let (x, y) = (node(a.node).key, node(b.node).key)
      return x.path == y.path ? x.kind.rawValue < y.kind.rawValue : x.path < y.path
    }
    var merged: [Need] = []
    for need in record.needs {
      if let last = merged.last, last.node == need.node {
        merged[merged.count - 1] = Need(
          node: need.node,
          mode: last.mode == .exclusive || need.mode == .exclusive ? .exclusive : .shared,
          isTarget: last.isTarget || need.isTarget
        )
      } else {
        merged.append(need)
      }
    }
    record.needs = merged
  }

  // MARK: - Kernel waits

  /// Has a thread block on a description, for `record`: the record's own, or one of ours.
  func startWait(
    _ node: Node,
    isGate: Bool,
    _ mode: LockMode,
    _ description: SharedDescriptor,
    for record: ClaimRecord?,
    restores: Bool = false
  ) {
    lastWait += 1
    let wait = KernelWait(
      id: lastWait,
      node: node.index,
      isGate: isGate,
      mode: mode,
      description: description,
      beneficiary: record?.index,
      restores: restores
    )
    waits[wait.id] = wait
    if isGate {
      node.gateWait = wait
      node.file?.header.joinLine()
    } else {
      node.waits.append(wait)
    }
    if let record, record.blocksItself {
      record.wait = wait
      wake(record)
    } else {
      actions.jobs.append(KernelJob(wait))
    }
  }

  /// What the record's own thread is to wait for.
  func job(_ record: ClaimRecord) -> KernelJob? {
    guard let wait = record.wait else { return nil }
    let isLast = record.items.count == 1 && record.needs[record.position].isTarget
    return KernelJob(wait, isLast ? record.items[0].plan : nil)
  }

  /// Has the record's thread look at it, unless it is the one that does this.
  func wake(_ record: ClaimRecord) {
    guard let waiter = record.waiter else { return }
    if record.blocksItself, record.thread == ThreadClaims.thread { return }
    actions.wakes.append(waiter)
  }

  /// Takes what is to be done outside.
  func takeActions() -> Actions {
    if descriptors.isTimeToClean() { actions.cleans = runtime }
    if actions.isEmpty { return Actions() }
    defer { actions = Actions() }
    return actions
  }
}
