import CoordinationRuntime
import LinuxSystem

/// Asking presenters: the gate is the right to be next, and whoever asks keeps it.
extension Claim {
  /// Gives the items back for as long as presenters are asked, keeping the right to be next.
  ///
  /// The claim waits for everyone who was before it, through `waiter`. Presenters that must write in
  /// order to answer name this claim in their ``ClaimRequest/passesGatesOf``. The item may have moved
  /// meanwhile: look at ``grants`` again.
  /// - Throws: why the claim was lost; nothing is held then.
  package func beginAsking(waiter: @autoclosure () -> any ClaimWaiter) throws(ClaimFailure) {
    for _ in 0..<8 {
      try goAgain(waiter) { state, record in state.beginAsking(record) }
      // Not so if the item moved: then the claim was made anew, and has no gates.
      if withRecord(true, { state, record in state.giveBackForAsking(record) }) { return }
    }
    let path = grants.first?.path ?? FilePath("/")
    release()
    throw .unstablePath(path)
  }

  /// Takes the items again before the accessor.
  ///
  /// Afterwards ``grants`` may name another path: a presenter moved the item, or the path stands for
  /// something else now. Then nobody was asked about the new one.
  /// - Throws: why the claim was lost; nothing is held then.
  package func endAsking(waiter: @autoclosure () -> any ClaimWaiter) throws(ClaimFailure) {
    try goAgain(waiter) { state, record in
      state.endAsking(record)
      return false
    }
    CoordinationTrace.record(.answered, claim: id)
  }
}

extension TableState {
  /// Gets the gates of the record's items: at once where nobody stands there, else by giving the
  /// items back and going in line.
  ///
  /// Says whether nothing was given back.
  ///
  /// Waiting for a gate while its node is held would deadlock with whoever holds the gate and waits
  /// for the node.
  func beginAsking(_ record: ClaimRecord) -> Bool {
    record.stage = .gating
    guard let first = record.needs.indices.first(where: { isOwnTarget(record, $0) }) else {
      return true
    }
    for at in record.needs.indices where isOwnTarget(record, at) {
      guard takeGateAtOnce(record, at) else {
        giveBack(record, from: first)
        advance(record)
        return false
      }
    }
    return true
  }

  /// Whether a need is an item's lock that no claim around this one holds anyway.
  private func isOwnTarget(_ record: ClaimRecord, _ at: Int) -> Bool {
    let need = record.needs[at]
    guard need.isTarget else { return false }
    let node = node(need.node)
    let others = (node.readers + node.writers).filter { $0 != record.index }
    return !isRelated(record, others)
  }

  private func takeGateAtOnce(_ record: ClaimRecord, _ at: Int) -> Bool {
    let node = node(record.needs[at].node)
    if record.gates.contains(where: { $0.need == at }), let header = node.file?.header {
      // Kept since the node was had.
      header.setGateHolder(process, claim: record.number)
      header.mark()
      return true
    }
    // No file: the lock is on one that was removed. No descriptor: in line it is an error.
    guard let file = node.file, let gate = try? file.takeGate(at: now) else { return false }
    guard FileLock.attempt(gate.number, .exclusive) == nil else {
      file.keepGate(gate)
      return false
    }
    file.header.setGateHolder(process, claim: record.number)
    file.header.mark()
    record.gates.append((at, gate))
    return true
  }

  /// Gives the nodes back from the first item on; the gates stay.
  ///
  /// An item without a gate, of a claim that went past a stopped process, is given back as well.
  /// The trees after it go, too: whoever holds one of them while it waits for an item before it would
  /// deadlock with a claim that ends the whole.
  ///
  /// Says whether the gates are held.
  func giveBackForAsking(_ record: ClaimRecord) -> Bool {
    guard record.stage == .gating else { return false }
    let isGivenBack = record.needs.indices.map { at in
      record.gates.contains { $0.need == at } || isOwnTarget(record, at)
    }
    if let first = isGivenBack.firstIndex(of: true) {
      for at in stride(from: record.needs.count - 1, through: first, by: -1)
      where record.needs[at].isHeld {
        if isGivenBack[at] || !record.needs[at].isTarget { giveBack(record, at: at) }
      }
    }
    record.state = .asking
    record.since = now
    board?.note(record, self)
    return true
  }

  /// Takes the nodes again: those whose gates are held without waiting in line.
  func endAsking(_ record: ClaimRecord) {
    guard record.stage == .gating else { return }
    record.stage = .retaking
    record.position = 0
    // The presenters' claims may have changed what the path stands for: look as after any wait.
    record.wasSlow = true
    advance(record)
  }

  /// Opens the gates that were kept while asking, but for those that a writer keeps on; clears the marks
  /// where nobody is in line.
  func openGatesAfterAsking(_ record: ClaimRecord) {
    record.stage = .normal
    let gates = record.gates
    record.gates.removeAll()
    for (at, gate) in gates { keepOrOpen(gate, of: node(record.needs[at].node), record, at) }
  }
}
