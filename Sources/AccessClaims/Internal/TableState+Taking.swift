import CoordinationRuntime
import LinuxSystem

/// Taking the locks of a claim, one after the other, as far as nobody is in the way.
extension TableState {
  enum Outcome {
    case taken
    case waiting
    case failed(ClaimFailure)
  }

  /// Lets every record go on whose lock was taken for it.
  func settle() {
    while let next = ready.popLast() { advance(records[Int(next)]) }
  }

  /// Takes the locks from where the record stands; ends granted, waiting or failed.
  func advance(_ record: ClaimRecord) {
    record.state = .taking
    while record.position < record.needs.count {
      switch take(record, record.position) {
      case .taken:
        record.needs[record.position].isHeld = true
        record.position += 1
      case .waiting: return
      case .failed(let failure):
        fail(record, failure)
        return
      }
    }
    record.state = .granted
    if record.stage == .retaking { openGatesAfterAsking(record) }
    wake(record)
  }

  /// Ends the record's attempt: gives everything back.
  func fail(_ record: ClaimRecord, _ failure: ClaimFailure) {
    giveBack(record)
    record.state = .failed(failure)
    wake(record)
  }

  private func take(_ record: ClaimRecord, _ at: Int) -> Outcome {
    let need = record.needs[at]
    // Kept from before presenters were asked.
    if need.isHeld { return .taken }
    let node = node(need.node)
    let outcome = take(record, at, need, node)
    if !need.isTarget, case .taken = outcome { record.noteHeld(node) }
    return outcome
  }

  private func take(_ record: ClaimRecord, _ at: Int, _ need: Need, _ node: Node) -> Outcome {
    node.lastUsed = tick
    let throughGate = need.isTarget && record.stage != .normal
    if need.mode == .exclusive || throughGate { endLingering(node) }
    if node.isFree, node.isQuiet, !throughGate {
      if need.mode == .shared, !record.isInheritable, takeLingering(node) {
        node.readers.append(record.index)
        return .taken
      }
      switch tryFast(node, need.mode, record, at) {
      case .taken: return .taken
      case .failed(let failure): return .failed(failure)
      case .waiting: break
      }
    } else if let joined = join(node, need.mode, record, throughGate) {
      return joined
    }
    enqueue(record, at: node)
    return .waiting
  }

  /// Takes a node that nobody of this process holds or waits for; `.waiting` when somebody else does.
  private func tryFast(_ node: Node, _ mode: LockMode, _ record: ClaimRecord, _ at: Int) -> Outcome
  {
    for _ in 0..<4 {
      let file: NodeFile
      let description: SharedDescriptor
      let isOwn = mode == .exclusive || record.isInheritable
      do throws(ClaimFailure) {
        guard let opened = try openFile(node) else { return .waiting }
        file = opened
        if file.header.isMarked { return .waiting }
        guard let found = try takeDescription(file, own: isOwn) else { continue }
        description = found
      } catch {
        return .failed(error)
      }
      let number = description.number
      Mutation.pauseBeforeLocking()
      if let code = FileLock.attempt(number, mode) {
        if isOwn { file.keepSpare(description) }
        return code == .again ? .waiting : .failed(ClaimFailure(locking: code))
      }
      let looked = CoordinationTrace.isListening ? MonotonicInstant.now : nil
      let isMarked = Mutation.isOn(.skipSecondLook) ? false : file.header.isMarked
      if isMarked || !isCurrent(file) {
        FileLock.release(number)
        if isOwn { file.keepSpare(description) }
        if isMarked { return .waiting }
        continue
      }
      enter(node, mode, record, at, file, description)
      if let looked { trace(.slippedIn, record, node, mode, at: looked) }
      return .taken
    }
    // The file was removed each time: somebody clears the directory in a loop.
    return .waiting
  }

  /// Whether a file whose lock was just taken is the one that everybody else locks, as far as its header
  /// and earlier looks tell; ``holdsLinkedFiles(_:)`` has the last word.
  func isCurrent(_ file: NodeFile) -> Bool {
    if file.header.isDead { file.isStale = true }
    return !file.isStale
  }

  /// Whether everything that a record holds is locked by the files that everybody else locks.
  ///
  /// A stranger that takes the lock before it removes a file, as a careful cleaner does, may have done
  /// both just before we locked it (field case I02); once we have, it waits. One system call: as long as
  /// no name came or went in their directory since a file was seen linked, nothing happened to it.
  func holdsLinkedFiles(_ record: ClaimRecord) -> Bool {
    // What cannot be looked at counts as changed.
    let changed = try? FileStatus(ofNumber: runtime.nodesDirectory.number).modified
    // Files that were opened since then had their names then.
    let entry = record.items.count == 1 ? record.items[0] : nil
    let isPlain = record.accesses.first != .structuralWrite
    if let changed, let entry, isPlain, entry.linkedAsOf == changed { return true }
    var seen: FileStatus.Time??
    var areLinked = true
    for need in record.needs where need.isHeld {
      let node = node(need.node)
      guard let file = node.file else { continue }
      if let changed, file.linkedAsOf == changed { continue }
      // Times have ticks: another change in the same one would not show.
      let now = seen ?? changed.flatMap { isPast($0) ? $0 : nil }
      seen = .some(now)
      guard let number = node.exclusive?.description.number ?? file.anyNumber else { continue }
      guard NodeFile.isLinked(number) else {
        file.isStale = true
        // Replaced when those who let this one in have ended: they exclude each other through it.
        let others = (node.readers + node.writers).filter { $0 != record.index }
        guard isRelated(record, others) else { return false }
        areLinked = false
        continue
      }
      file.linkedAsOf = now
    }
    if let entry, isPlain, areLinked { entry.linkedAsOf = seen ?? changed }
    return true
  }

  /// Whether a time stamp is old enough that a change from now on gets another one.
  private func isPast(_ time: FileStatus.Time) -> Bool {
    time.sinceEpoch < WallClock.nanoseconds - 20_000_000
  }

  /// Notes that the record holds the node through `description`, which is locked in this mode.
  func enter(
    _ node: Node,
    _ mode: LockMode,
    _ record: ClaimRecord,
    _ at: Int,
    _ file: NodeFile,
    _ description: SharedDescriptor
  ) {
    node.enteredAt = now
    node.heldSince = now
    if mode == .exclusive {
      node.exclusive = ExclusiveHold(description, isRetired: record.isInheritable)
      node.writers.append(record.index)
      file.header.countGrant()
    } else if record.isInheritable {
      record.own.append((at, description))
    } else {
      node.readers.append(record.index)
    }
  }

  /// Gets the record in beside those of this process that hold the node, if it may: nil when it must
  /// wait.
  private func join(
    _ node: Node,
    _ mode: LockMode,
    _ record: ClaimRecord,
    _ throughGate: Bool
  ) -> Outcome? {
    if tryJoin(node, mode, record) { return .taken }
    if mode == .shared {
      guard node.exclusive == nil, node.suspended == nil, !node.readers.isEmpty, node.isQuiet,
        !throughGate, !record.isInheritable,
        let file = node.file, !file.isStale, !file.header.isMarked
      else { return nil }
      // The process's lock stands already, and nobody is waiting for it to end.
      node.readers.append(record.index)
      return .taken
    }
    if isHeldByOuterClaim(node, record) {
      return takeMore(node, record)
    }
    return nil
  }

  /// Gets the record in past queue, mark and gate, if its thread or purpose already is.
  func tryJoin(_ node: Node, _ mode: LockMode, _ record: ClaimRecord) -> Bool {
    if node.isFree || record.isInheritable { return false }
    if mode == .exclusive {
      // A lock that was sent is that of the whole purpose, though its writers may sit elsewhere.
      guard let hold = node.exclusive,
        isRelated(record, node.writers) || hold.isRetired && isRelated(record, node.readers)
      else { return false }
      node.writers.append(record.index)
      return true
    }
    guard isRelated(record, node.writers) || isRelated(record, node.readers) else { return false }
    node.readers.append(record.index)
    return true
  }

  /// Whether one of `others` has the record's purpose, or runs the accessor that this claim is in.
  func isRelated(_ record: ClaimRecord, _ others: [Int32]) -> Bool {
    others.contains { index in
      let other = records[Int(index)]
      return other.purpose.identifier == record.purpose.identifier
        || record.outer.contains(other.number)
    }
  }

  private func isHeldByOuterClaim(_ node: Node, _ record: ClaimRecord) -> Bool {
    guard !record.outer.isEmpty else { return false }
    return (node.readers + node.writers).contains {
      record.outer.contains(records[Int($0)].number)
    }
  }

  /// A claim nested in one that holds the node shared, and needs it exclusive.
  private func takeMore(_ node: Node, _ record: ClaimRecord) -> Outcome {
    let outer = (node.readers + node.writers).map { records[Int($0)] }
      .filter { record.outer.contains($0.number) }
    guard outer.allSatisfy({ $0.purpose.identifier == record.purpose.identifier }) else {
      return .failed(
        .wouldDeadlock(
          "this thread is inside an access to \(node.key.path) for another purpose, and the nested "
            + "access needs more than that one holds"
        )
      )
    }
    return startUpgrade(node, record)
  }

  /// Turns a read into a write, if nobody else is waiting to write.
  ///
  /// The gate is kept until the write is in: no writer slips into the gap of the conversion.
  func startUpgrade(_ node: Node, _ record: ClaimRecord) -> Outcome {
    guard let file = node.file else { preconditionFailure("a node that is held is open") }
    if let refusal = takeUpgradeGate(node, record, file) { return .failed(refusal) }
    record.state = .waiting
    record.phase = .node
    record.wasSlow = true
    record.isExpress = true
    node.express.append(record.index)
    board?.note(record, self)
    _ = enterNode(node, record)
    return .waiting
  }

  /// Takes the gate without waiting, for as long as an upgrade takes.
  private func takeUpgradeGate(_ node: Node, _ record: ClaimRecord, _ file: NodeFile)
    -> ClaimFailure?
  {
    do throws(RuntimeDirectoryError) {
      let gate = try file.takeGate(at: now)
      if let code = FileLock.attempt(gate.number, .exclusive) {
        file.keepGate(gate)
        guard code == .again else { return ClaimFailure(locking: code) }
        return .wouldDeadlock(
          "this access reads \(node.key.path) and now wants to write it, but another access is "
            + "waiting for the reading to end"
        )
      }
      file.header.setGateHolder(process, claim: 0)
      file.header.mark()
      file.header.beginUpgrade()
      guard !file.header.hasPasser else {
        giveGateBack(node, gate)
        return .wouldDeadlock(
          "this access reads \(node.key.path) and now wants to write it, but another access that a "
            + "presenter makes in answer, or past a stopped process, is waiting there"
        )
      }
      record.gates.append((record.position, gate))
    } catch {
      return ClaimFailure(error)
    }
    return nil
  }

  /// Whether a removed file can be let go: nobody of this process holds it or waits for it.
  func mayReopen(_ node: Node) -> Bool {
    node.isFree && node.waits.isEmpty && node.gateWait == nil && node.gate == nil
  }

  /// The node's file, opened where needed; nil when claims here still hold a removed one.
  func openFile(_ node: Node) throws(ClaimFailure) -> NodeFile? {
    if let file = node.file {
      if !file.isStale { return file }
      guard mayReopen(node) else { return nil }
      endLingering(node)
      node.file = nil
    }
    let name = NodeName(node.key.path, node.key.kind)
    for attempt in 0..<3 {
      do throws(RuntimeDirectoryError) {
        let file = try NodeFile(node.key.path, name, in: runtime, descriptors)
        if file.header.isDead, !file.revive() { continue }
        node.file = file
        return file
      } catch {
        let failure = ClaimFailure(error)
        if case .outOfDescriptors = failure, attempt == 0 {
          evict(share: 1)
        } else if error.cause?.code == .noEntry, attempt < 2 {
          try followRuntime()
        } else {
          throw failure
        }
      }
    }
    return nil
  }

  /// A description to lock: the readers' one, or one of the claim's own; nil when the file is stale.
  func takeDescription(_ file: NodeFile, own: Bool) throws(ClaimFailure) -> SharedDescriptor? {
    for attempt in 0..<2 {
      do throws(RuntimeDirectoryError) {
        return own ? try file.takeSpare() : try file.sharedDescription()
      } catch {
        let failure = ClaimFailure(error)
        guard case .outOfDescriptors = failure, attempt == 0 else {
          throw failure
        }
        evict(share: 1)
      }
    }
    return nil
  }

  /// Goes over to the runtime directory that stands in the place of ours, if it was replaced.
  func followRuntime() throws(ClaimFailure) {
    guard now &- runtimeSeenAt > 5_000_000 else { return }
    guard runtime.wasReplaced else {
      runtimeSeenAt = now
      return
    }
    do throws(RuntimeDirectoryError) { runtime = try runtime.successor() } catch {
      throw ClaimFailure(error)
    }
    for node in nodes { node?.file?.isStale = true }
    openBoard()
    openMoves()
    CoordinationTrace.record(
      .diagnostic,
      path: runtime.path,
      "the coordination directory was replaced; using the new one"
    )
  }
}
