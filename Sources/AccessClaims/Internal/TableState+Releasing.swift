import CoordinationRuntime
import LinuxSystem

/// Giving locks back.
extension TableState {
  /// Gives back all that the record holds; those below first.
  func giveBack(_ record: ClaimRecord, from first: Int = 0) {
    var at = record.needs.count - 1
    while at >= first {
      if record.needs[at].isHeld { giveBack(record, at: at) }
      at -= 1
    }
    if !record.gates.isEmpty { openGates(record, from: first) }
    record.position = min(record.position, first)
  }

  /// Gives the record up; if somebody waits for its items, only these for now: says whether that is so.
  ///
  /// Whoever waited is often woken on the processor of the one who gives back, and gets it when that one
  /// is done: what else there is to do can wait.
  func endItems(_ record: ClaimRecord) -> Bool {
    guard record.stage == .normal,
      record.needs.contains(where: { need in
        need.isTarget && need.isHeld && node(need.node).file?.header.isMarked == true
      })
    else {
      end(record)
      return false
    }
    for at in record.needs.indices.reversed()
    where record.needs[at].isTarget && record.needs[at].isHeld { giveBack(record, at: at) }
    return true
  }

  /// Gives the record up: its locks, its use of nodes, and the record itself.
  func end(_ record: ClaimRecord) {
    giveBack(record)
    forgetNeeds(record)
    freeRecord(record)
  }

  /// Ends the record's use of its nodes; all must have been given back.
  func forgetNeeds(_ record: ClaimRecord) {
    for need in record.needs { node(need.node).users -= 1 }
    record.needs.removeAll(keepingCapacity: true)
    record.position = 0
  }

  /// Opens the gates that the record keeps, those before the need `first` excepted.
  func openGates(_ record: ClaimRecord, from first: Int) {
    for (need, gate) in record.gates where need >= first {
      giveGateBack(node(record.needs[need].node), gate)
    }
    record.gates.removeAll { $0.need >= first }
  }

  /// Gives back one lock that the record holds.
  func giveBack(_ record: ClaimRecord, at: Int) {
    let need = record.needs[at]
    let node = node(need.node)
    record.needs[at].isHeld = false
    let gate = keptGate(record, at)
    // Those who wait at the gate come before who finds the node free in this moment.
    if gate != nil, let header = node.file?.header, header.hasLine { header.mark() }
    if !record.own.isEmpty, let index = record.own.firstIndex(where: { $0.need == at }) {
      // Closed, never unlocked: a child may hold it still.
      record.own.remove(at: index)
    } else if need.mode == .exclusive {
      remove(record.index, from: &node.writers)
      if node.writers.isEmpty { lastWriterLeft(node) }
    } else {
      remove(record.index, from: &node.readers)
      if node.readers.isEmpty { lastReaderLeft(node) }
    }
    if need.isTarget {
      node.leftAt = now
      node.leftGeneration = node.file?.header.generation ?? 0
    }
    if let gate { giveGateBack(node, gate) }
    if !node.isQuiet { lockWasGivenBack(node) }
  }

  /// The gate that a writer kept for as long as it had the node; while presenters are asked it stays.
  private func keptGate(_ record: ClaimRecord, _ at: Int) -> SharedDescriptor? {
    guard record.stage == .normal, !record.gates.isEmpty,
      let index = record.gates.firstIndex(where: { $0.need == at })
    else { return nil }
    return record.gates.remove(at: index).gate
  }

  private func remove(_ index: Int32, from members: inout [Int32]) {
    if members.last == index {
      members.removeLast()
    } else if let found = members.firstIndex(of: index) {
      members.swapAt(found, members.count - 1)
      members.removeLast()
    }
  }

  private func lastReaderLeft(_ node: Node) {
    if node.exclusive != nil {
      if node.writers.isEmpty { endExclusive(node) }
    } else if node.suspended != nil {
      endSuspension(node)
    } else if let file = node.file {
      if linger(node, file) { return }
      node.isLingering = false
      if let shared = file.shared { FileLock.release(shared.number) }
    }
  }

  private func lastWriterLeft(_ node: Node) {
    guard !node.readers.isEmpty else {
      endExclusive(node)
      return
    }
    // Readers of the same purpose stay: their lock takes the place of the exclusive one, without a
    // gap (the kernel converts downwards in one step). One that was sent must stay as it is.
    guard let hold = node.exclusive, !hold.isRetired, let file = node.file,
      let shared = try? file.sharedDescription()
    else { return }
    guard FileLock.attempt(hold.description.number, .shared) == nil,
      FileLock.attempt(shared.number, .shared) == nil
    else { return }
    endExclusive(node)
  }

  private func endExclusive(_ node: Node) {
    guard let hold = node.exclusive else { return }
    node.exclusive = nil
    if hold.isRetired { return }
    if Mutation.isOn(.unlinkLockFile) { node.file?.unlink() }
    FileLock.release(hold.description.number)
    node.file?.keepSpare(hold.description)
  }

  /// Somebody waits here and something was given back.
  private func lockWasGivenBack(_ node: Node) {
    for head in node.main.prefix(1) + node.express.prefix(1) {
      let record = records[Int(head)]
      if record.phase == .node, record.needs[record.position].mode == .exclusive {
        suspendReaders(node, for: record)
      }
    }
    pump(node)
  }
}
