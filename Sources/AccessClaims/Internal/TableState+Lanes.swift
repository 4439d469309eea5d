import CoordinationRuntime
import LinuxSystem

/// Waiting: one first-in-first-out queue per node that goes through the gate, and one for those who
/// need none. Only the head of a queue waits in the kernel.
extension TableState {
  /// Puts the record into the queue of a node and starts what can be started.
  func enqueue(_ record: ClaimRecord, at node: Node) {
    record.state = .waiting
    record.phase = .queued
    record.politeUntil = 0
    record.hasWaited = false
    record.wasSlow = true
    record.isExpress = needsNoGate(record, node)
    if record.isExpress {
      joinExpress(node, record)
    } else {
      node.main.append(record.index)
    }
    board?.note(record, self)
    pump(node)
    // It must wait: whoever has the node may be waiting at a gate further on.
    if record.stage == .retaking, case .waiting = record.state {
      openGates(record, from: record.position + 1)
    }
  }

  /// Whether the record holds the gate of this node itself, or may pass who does.
  func needsNoGate(_ record: ClaimRecord, _ node: Node) -> Bool {
    if record.stage == .retaking {
      // Of a tree between its items: whoever stands at the gate there waits for all who work below, and
      // they may be waiting for this claim at the gates that it kept.
      if !record.needs[record.position].isTarget { return true }
      if record.gates.contains(where: { $0.need == record.position }) { return true }
    }
    if record.hasPassed { return true }
    guard !record.passes.isEmpty else { return false }
    // Who asks keeps the trees above shared. Whoever stands at the gate there, to move or delete a
    // directory, waits for the asker, and must not hold up those whom the asker waits for.
    if !record.needs[record.position].isTarget { return true }
    guard let holder = node.file?.header.gateHolder, holder.claim != 0 else { return false }
    return record.passes.contains(ClaimID(process: holder.process, number: holder.claim))
  }

  /// Starts what the heads of a node's queues can do now.
  func pump(_ node: Node) {
    if !node.express.isEmpty { pumpQueue(node, isExpress: true) }
    if !node.main.isEmpty { pumpQueue(node, isExpress: false) }
  }

  private func pumpQueue(_ node: Node, isExpress: Bool) {
    var attempts = 0
    while let head = (isExpress ? node.express : node.main).first, attempts < 4 {
      let record = records[Int(head)]
      guard record.phase == .queued else { return }
      if isExpress { record.phase = .node }
      if isExpress ? enterNode(node, record) : startMain(node, record) {
        attempts = 0
      } else if record.phase == .queued, mayReopen(node) {
        // The file turned out to be removed: once more with a new one.
        attempts += 1
      } else {
        return
      }
    }
  }

  /// Brings the head of the main queue to the gate and through; says whether it left the queue.
  private func startMain(_ node: Node, _ record: ClaimRecord) -> Bool {
    let mode = record.needs[record.position].mode
    if tryJoin(node, mode, record) {
      leaveQueue(node, record)
      proceed(record)
      return true
    }
    if node.gate != nil {
      // Inherited from one that was cancelled.
      record.phase = .node
      record.hasWaited = true
      return enterNode(node, record)
    }
    do throws(ClaimFailure) {
      try followRuntime()
      guard let file = try currentFile(node) else { return false }
      if isPolite(node, record, file) { return false }
      let gate = try takeGate(file)
      if let code = FileLock.attempt(gate.number, .exclusive) {
        guard code == .again else { throw ClaimFailure(locking: code) }
        record.phase = .gate
        record.hasWaited = true
        startWait(node, isGate: true, .exclusive, gate, for: record)
        return false
      }
      passGate(node, record, gate)
    } catch {
      leaveQueue(node, record)
      fail(record, error)
      return true
    }
    return enterNode(node, record)
  }

  /// What is over before somebody who slept is up.
  private static let shortHold: UInt64 = 150_000

  /// Whether the record lets others go first: its process just had the node, and they were in line.
  ///
  /// The kernel grants in no order, and who is awake is faster than who must be woken: without, a
  /// process that comes right back overtakes all who waited while it held the node. Once per claim,
  /// for less time than it just had, and only a hint: the gate decides. Not after a short hold: sleeping
  /// takes longer than it.
  private func isPolite(_ node: Node, _ record: ClaimRecord, _ file: NodeFile) -> Bool {
    let held = min(node.leftAt &- node.enteredAt, 2_000_000)
    guard record.politeUntil == 0, record.blocksItself, file.header.hasLine,
      file.header.generation == node.leftGeneration, now &- node.leftAt < held + held / 2,
      held > Self.shortHold
    else { return false }
    record.phase = .polite
    record.politeUntil = now &+ max(held / 2, 20_000)
    return true
  }

  /// A record was polite long enough.
  func endPoliteness(_ record: ClaimRecord) {
    guard record.phase == .polite, now >= record.politeUntil, let index = record.waitingNode else {
      return
    }
    record.phase = .queued
    pump(node(index))
    settle()
  }

  /// The node's file after a look at its link count; nil when claims here hold a removed one.
  private func currentFile(_ node: Node) throws(ClaimFailure) -> NodeFile? {
    for _ in 0..<3 {
      guard let file = try openFile(node) else { return nil }
      let number = node.exclusive?.description.number ?? file.anyNumber
      let isFresh = file.checkedAt != 0 && now &- file.checkedAt < 5_000_000
      if !file.header.isDead, isFresh || number.map(NodeFile.isLinked) != false {
        if !isFresh { file.checkedAt = now }
        return file
      }
      file.isStale = true
    }
    return nil
  }

  private func takeGate(_ file: NodeFile) throws(ClaimFailure) -> SharedDescriptor {
    do throws(RuntimeDirectoryError) { return try file.takeGate(at: now) } catch {
      let failure = ClaimFailure(error)
      guard case .outOfDescriptors = failure else { throw failure }
      evict(share: 1)
    }
    do throws(RuntimeDirectoryError) { return try file.takeGate(at: now) } catch {
      throw ClaimFailure(error)
    }
  }

  /// Notes that the gate is held for the record, for others to see.
  func passGate(_ node: Node, _ record: ClaimRecord, _ gate: SharedDescriptor) {
    node.gate = gate
    record.phase = .node
    node.file?.header.setGateHolder(process, claim: record.stage == .gating ? record.number : 0)
    node.file?.header.mark()
    trace(.inLine, record, node, record.needs[record.position].mode)
    board?.notePhase(record, self)
  }

  /// Takes the node for the head of a queue that holds or needs no gate.
  ///
  /// Says whether it left the queue. Otherwise a thread of ours waits for it now.
  func enterNode(_ node: Node, _ record: ClaimRecord) -> Bool {
    let need = record.needs[record.position]
    if tryJoin(node, need.mode, record) {
      passOn(node, record)
      return true
    }
    do throws(ClaimFailure) {
      guard let file = try openFile(node) else {
        if isUpgrade(record) { throw .changedDuringUpgrade(node.key.path) }
        // Those who hold the removed file here must end first; releasing comes back to us.
        record.phase = .queued
        if !record.isExpress, let gate = node.gate { openGate(node, gate) }
        return false
      }
      if need.mode == .shared, !record.isInheritable, node.exclusive == nil, node.suspended == nil {
        if !node.readers.isEmpty {
          node.readers.append(record.index)
          passOn(node, record)
          return true
        }
        if let shared = try takeDescription(file, own: false) {
          switch FileLock.attempt(shared.number, .shared) {
          case nil: return admit(node, record, shared, isShared: true)
          case Errno.again?: break
          case let code?: throw ClaimFailure(locking: code)
          }
        }
      }
      if need.mode == .exclusive { suspendReaders(node, for: record) }
      guard let description = try takeDescription(file, own: true) else {
        // The file went stale in this moment: once more with a new one.
        if isUpgrade(record) { throw .changedDuringUpgrade(node.key.path) }
        record.phase = .queued
        if !record.isExpress, let gate = node.gate { openGate(node, gate) }
        return false
      }
      switch FileLock.attempt(description.number, need.mode) {
      case nil: return admit(node, record, description, isShared: false)
      case Errno.again?: break
      case let code?: throw ClaimFailure(locking: code)
      }
      record.hasWaited = true
      startWait(node, isGate: false, need.mode, description, for: record)
      return false
    } catch {
      leaveQueue(node, record)
      tidy(node)
      fail(record, error)
      return true
    }
  }

  /// The record got the node's lock through `description`; says whether it left the queue.
  func admit(
    _ node: Node,
    _ record: ClaimRecord,
    _ description: SharedDescriptor,
    isShared: Bool
  ) -> Bool {
    guard let file = node.file else { preconditionFailure("a node that is waited for is open") }
    let need = record.needs[record.position]
    // An upgrade for a partner is not looked at again.
    let isLinked = record.blocksItself || NodeFile.isLinked(description.number)
    if !isLinked { file.isStale = true }
    guard isCurrent(file) else {
      // Removed while we waited: others lock another file by now.
      FileLock.release(description.number)
      record.phase = .queued
      if !record.isExpress, let gate = node.gate { openGate(node, gate) }
      return false
    }
    if need.mode == .shared, !isShared, !record.isInheritable {
      // Over to the description that all readers share; ours keeps writers out meanwhile.
      guard let shared = try? file.sharedDescription(),
        FileLock.attempt(shared.number, .shared) == nil
      else {
        // No descriptor for it: this one serves as the claim's own.
        record.own.append((record.position, description))
        passOn(node, record)
        return true
      }
      FileLock.release(description.number)
      file.keepSpare(description)
    }
    let before = node.suspended
    if before != nil { endSuspension(node) }
    enter(node, need.mode, record, record.position, file, description)
    if need.mode == .exclusive, let before, file.header.generation != before &+ 1 {
      leaveQueue(node, record)
      record.needs[record.position].isHeld = true
      tidy(node)
      fail(record, .changedDuringUpgrade(node.key.path))
      return true
    }
    passOn(node, record)
    return true
  }

  /// The record holds the node now: lets it, and readers behind it, go on.
  ///
  /// A reader opens the gate. A writer keeps it until it gives the node back: nobody who comes through
  /// could do more than wait for the node, and whoever is woken by an open gate takes the processor
  /// from the one that everybody waits for.
  private func passOn(_ node: Node, _ record: ClaimRecord) {
    let isMain = !record.isExpress
    let need = record.needs[record.position]
    leaveQueue(node, record)
    if isMain, let gate = node.gate {
      node.gate = nil
      if record.stage == .gating, need.isTarget {
        record.gates.append((record.position, gate))
      } else {
        if !record.hasWaited { node.file?.header.forgetLine() }
        keepOrOpen(gate, of: node, record, record.position)
      }
    }
    if record.isExpress, record.stage == .normal { openOwnGate(record) }
    proceed(record)
    if need.mode == .shared { admitReadersBehind(node) }
  }

  /// The record has the node and holds its gate: a writer keeps it, without a name in the header, a reader
  /// opens it.
  ///
  /// The mark goes where nobody is in line.
  func keepOrOpen(_ gate: SharedDescriptor, of node: Node, _ record: ClaimRecord, _ at: Int) {
    if node.main.isEmpty, let header = node.file?.header, !header.hasLine { header.clearMark() }
    if record.needs[at].mode == .exclusive {
      node.file?.header.clearGateHolder()
      record.gates.append((at, gate))
    } else {
      giveGateBack(node, gate)
    }
  }

  /// Readers that stand right behind one that got in come along: they were here when it did.
  private func admitReadersBehind(_ node: Node) {
    guard node.exclusive == nil, node.suspended == nil, !node.readers.isEmpty else { return }
    while let head = node.main.first {
      let record = records[Int(head)]
      let need = record.needs[record.position]
      guard record.phase == .queued, need.mode == .shared, !record.isInheritable,
        !(record.stage != .normal && need.isTarget)
      else { return }
      node.readers.append(head)
      leaveQueue(node, record)
      proceed(record)
    }
  }

  /// Whether the record waits to write what it reads: with a lock file that was removed meanwhile it would
  /// wait for itself.
  private func isUpgrade(_ record: ClaimRecord) -> Bool {
    record.isExpress && record.stage == .normal
      && record.gates.contains { $0.need == record.position }
  }

  /// Opens the gate that an upgrade kept so that no writer slips in.
  private func openOwnGate(_ record: ClaimRecord) {
    guard let at = record.gates.firstIndex(where: { $0.need == record.position }) else { return }
    let gate = record.gates.remove(at: at).gate
    giveGateBack(node(record.needs[record.position].node), gate)
  }

  /// Has the record go on to its next need.
  func proceed(_ record: ClaimRecord) {
    let need = record.needs[record.position]
    record.needs[record.position].isHeld = true
    if !need.isTarget { record.noteHeld(node(need.node)) }
    record.position += 1
    record.state = .taking
    ready.append(record.index)
  }

  /// Puts the record among those who wait at the node without going through the gate.
  ///
  /// Unless it holds the gate, others can see it: nobody may give a lock up for a moment and trust in
  /// the gate meanwhile.
  func joinExpress(_ node: Node, _ record: ClaimRecord) {
    node.express.append(record.index)
    let hasGate = record.gates.contains { $0.need == record.position }
    guard !hasGate, !record.isCountedPasser, let header = node.file?.header else { return }
    record.isCountedPasser = true
    header.addPasser(process)
  }

  func leaveQueue(_ node: Node, _ record: ClaimRecord) {
    dropWait(record)
    trace(.outOfLine, record, node, record.needs[record.position].mode)
    if record.isExpress {
      node.express.removeAll { $0 == record.index }
      if record.isCountedPasser {
        record.isCountedPasser = false
        node.file?.header.removePasser()
      }
    } else {
      node.main.removeAll { $0 == record.index }
    }
  }

  /// Opens the gate that was held for the head of the main queue.
  func openGate(_ node: Node, _ gate: SharedDescriptor) {
    node.gate = nil
    giveGateBack(node, gate)
  }

  func giveGateBack(_ node: Node, _ gate: SharedDescriptor) {
    node.file?.header.endUpgrade()
    node.file?.header.clearGateHolder()
    FileLock.release(gate.number)
    node.file?.keepGate(gate)
  }

  /// After somebody left a queue: opens the gate if nobody is left to use it, and gives readers
  /// their lock back if nobody is left for whom they gave it up.
  func tidy(_ node: Node) {
    // While the gate still keeps writers out.
    resumeReaders(node)
    if let gate = node.gate, node.main.isEmpty { openGate(node, gate) }
  }

  /// If all readers of this process share the writer's purpose, their lock must not keep it out: it
  /// is given up, and theirs again when the writer is in.
  ///
  /// Only under the gate, and only while nobody waits at the node without it: else somebody writes
  /// beside the readers in the gap. The writer waits for them then, like any other.
  func suspendReaders(_ node: Node, for record: ClaimRecord) {
    let hasGate =
      record.isExpress ? record.gates.contains { $0.need == record.position } : node.gate != nil
    guard hasGate, node.exclusive == nil, node.suspended == nil, !node.readers.isEmpty,
      let file = node.file, let shared = file.shared,
      node.readers.allSatisfy({ isRelated(record, [$0]) })
    else { return }
    file.header.beginUpgrade()
    guard !file.header.hasPasser else {
      file.header.endUpgrade()
      return
    }
    node.suspended = file.header.generation
    node.isLingering = false
    FileLock.release(shared.number)
  }

  /// Records who stands in line at a node, and who got in without: order is judged by it.
  func trace(
    _ kind: CoordinationTrace.Kind,
    _ record: ClaimRecord,
    _ node: Node,
    _ mode: LockMode,
    at time: MonotonicInstant? = nil
  ) {
    guard CoordinationTrace.isListening else { return }
    CoordinationTrace.record(
      kind,
      claim: id(of: record),
      path: node.key.path,
      at: time,
      "\(node.key.kind) \(mode)"
    )
  }

  // MARK: - Ends of kernel waits

  /// A thread got the lock it was blocked on, or an error, or was interrupted.
  func arrived(_ job: KernelJob, _ code: Errno?) {
    guard let wait = waits[job.wait] else { return }
    wait.isRunning = false
    // Interrupted, the claim's own thread will block on it again unless something else came up.
    if code == .interrupted, wait.beneficiary != nil { return }
    waits[job.wait] = nil
    let node = node(wait.node)
    if wait.isGate { node.file?.header.leaveLine() }
    if let beneficiary = wait.beneficiary {
      let record = records[Int(beneficiary)]
      record.wait = nil
      if wait.isGate {
        arrivedAtGate(node, wait, record, code)
      } else {
        arrivedAtNode(node, wait, record, code)
      }
    } else {
      arrivedForNobody(node, wait, code)
    }
    pump(node)
    settle()
  }

  private func arrivedForNobody(_ node: Node, _ wait: KernelWait, _ code: Errno?) {
    node.waits.removeAll { $0 === wait }
    if wait.restores, code == nil, node.exclusive == nil, !node.readers.isEmpty,
      let shared = node.file?.shared
    {
      _ = FileLock.attempt(shared.number, .shared)
      node.heldSince = now
    }
    if code == nil { FileLock.release(wait.description.number) }
    keep(node, wait)
  }

  /// Keeps the unlocked description of a wait that is over.
  private func keep(_ node: Node, _ wait: KernelWait) {
    if wait.isGate {
      node.file?.keepGate(wait.description)
    } else {
      node.file?.keepSpare(wait.description)
    }
  }

  /// The record needs its wait no longer: it ends now, or when its thread is back.
  func dropWait(_ record: ClaimRecord) {
    guard let wait = record.wait else { return }
    record.wait = nil
    wait.beneficiary = nil
    let node = node(wait.node)
    if wait.isGate, node.gateWait === wait {
      node.gateWait = nil
      node.waits.append(wait)
    }
    // The wake that follows the record's grant or end brings its thread back.
    if wait.isRunning { return }
    waits[wait.id] = nil
    if wait.isGate { node.file?.header.leaveLine() }
    node.waits.removeAll { $0 === wait }
    keep(node, wait)
  }

  private func arrivedAtGate(
    _ node: Node,
    _ wait: KernelWait,
    _ head: ClaimRecord,
    _ code: Errno?
  ) {
    node.gateWait = nil
    if let code {
      leaveQueue(node, head)
      fail(head, ClaimFailure(locking: code))
      return
    }
    // A stranger may have removed the gate's file while we waited: then it orders nobody.
    guard let file = node.file, !file.isStale, file.isGateLinked(wait.description.number, at: now)
    else {
      FileLock.release(wait.description.number)
      head.phase = .queued
      return
    }
    passGate(node, head, wait.description)
    _ = enterNode(node, head)
  }

  private func arrivedAtNode(
    _ node: Node,
    _ wait: KernelWait,
    _ record: ClaimRecord,
    _ code: Errno?
  ) {
    node.waits.removeAll { $0 === wait }
    if let code {
      leaveQueue(node, record)
      tidy(node)
      fail(record, ClaimFailure(locking: code))
      return
    }
    _ = admit(node, record, wait.description, isShared: false)
  }

  /// No thread could be started for a wait.
  func couldNotWait(_ job: KernelJob, _ error: SystemError) {
    guard let wait = waits.removeValue(forKey: job.wait) else { return }
    let node = node(wait.node)
    if wait.isGate { node.gateWait = nil } else { node.waits.removeAll { $0 === wait } }
    if let beneficiary = wait.beneficiary {
      let record = records[Int(beneficiary)]
      leaveQueue(node, record)
      tidy(node)
      fail(record, .outOfDescriptors(error))
    }
    pump(node)
    settle()
  }

  /// Takes a waiting record out of its queue, and its wait out of the kernel.
  func withdraw(_ record: ClaimRecord) {
    guard let index = record.waitingNode else { return }
    let node = node(index)
    leaveQueue(node, record)
    tidy(node)
    pump(node)
  }

  func endSuspension(_ node: Node) {
    node.suspended = nil
    node.file?.header.endUpgrade()
  }

  /// Gives the readers their lock back after a writer of their purpose gave up.
  func resumeReaders(_ node: Node) {
    guard let before = node.suspended else { return }
    let heads = node.main.prefix(1) + node.express
    for head in heads {
      let record = records[Int(head)]
      if record.phase == .node, record.needs[record.position].mode == .exclusive { return }
    }
    endSuspension(node)
    node.heldSince = now
    guard let file = node.file, let shared = file.shared, !node.readers.isEmpty else { return }
    guard FileLock.attempt(shared.number, .shared) != nil else { return }
    // Somebody has it for the moment: a cancelled wait that arrives, or a writer that slipped in
    // past a stopped gate holder. A thread of ours gets the readers their lock back.
    CoordinationTrace.record(
      .diagnostic,
      path: node.key.path,
      "a read gave up its lock at generation \(before)"
    )
    guard let description = try? takeDescription(file, own: true) else { return }
    startWait(node, isGate: false, .shared, description, for: nil, restores: true)
  }
}
