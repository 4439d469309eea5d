import CoordinationRuntime
package import LinuxSystem

/// Claims of one purpose in two processes: the second joins the first.
extension ClaimTable {
  /// How other processes are reached; without it claims of one purpose join only inside a process.
  package var partners: (any PurposePartners)? {
    get { link.withLock { $0 } }
    set { link.withLock { $0 = newValue } }
  }

  /// Answers what another process's table asks.
  ///
  /// Never blocks: `reply` is called once, at once or from a thread of ours. Its descriptors are
  /// locked: they go to the asker in the same message, and are never unlocked here.
  package func serve(
    _ bytes: [UInt8],
    reply: @escaping @Sendable ([UInt8], [SharedDescriptor]) -> Void
  ) {
    guard generation == ForkGeneration.current, let request = PartnerRequest(bytes) else {
      reply([0], [])
      return
    }
    switch request.kind {
    case .join:
      let description = withState { $0.lend(request) }
      reply([description == nil ? 0 : 1], description.map { [$0] } ?? [])
    case .upgrade:
      let proxy = PartnerUpgrade(self, request, reply)
      proxy.start()
    }
  }

  /// Looks for claims of the same purpose in other processes that hold what this one waits for, and
  /// asks one of them to let it in.
  ///
  /// Blocks the calling thread for a moment.
  func seekPartner(_ index: Int32) {
    guard let partners, let wanted = withState({ $0.wanted(index) }) else { return }
    let runtime = runtime
    // A board that cannot be read has no partners on it.
    let others = ((try? BoardEntry.all(in: runtime)) ?? []).filter {
      $0.id.process != process && $0.hasSharedPurpose && $0.purpose == wanted.purpose
        && $0.state == .granted
    }
    let writers = others.filter { $0.holds(wanted.key.path, wanted.key.kind, against: .shared) }
    let readers = others.filter { $0.holds(wanted.key.path, wanted.key.kind, against: .exclusive) }
    let kind: PartnerRequest.Kind
    let partner: ProcessIdentity
    if let writer = writers.first {
      (kind, partner) = (.join, writer.id.process)
    } else if wanted.mode == .exclusive, Set(readers.map(\.id.process)).count == 1 {
      // Neither the gate nor a wait of ours may stand while the other process upgrades: it takes the
      // gate itself, and our wait would get the node in the gap.
      guard withState({ $0.stepOut(index, wanted) }) else { return }
      (kind, partner) = (.upgrade, readers[0].id.process)
    } else {
      // A writer whose purpose reads in several processes waits for all of them: a documented limit.
      withState { state in
        if wanted.mode == .shared, !readers.isEmpty {
          state.joinReaders(index, wanted)
        } else {
          state.endSeeking(index, wanted)
        }
      }
      return
    }
    let request = PartnerRequest(
      kind,
      wanted.key,
      wanted.mode,
      purpose: wanted.purpose
    )
    let limit = MonotonicInstant.now + .seconds(kind == .join ? 2 : 60)
    runDetached { [self] in
      let answer = partners.request(request.bytes, of: partner, until: limit)
      guard let answer, answer.bytes.first == 1, let description = answer.descriptors.first else {
        withState { $0.endSeeking(index, wanted) }
        return
      }
      withState { $0.joined(index, wanted, description) }
    }
  }
}

/// What a waiting claim looks for in other processes.
struct PartnerWish: Sendable {
  let number: UInt64
  let key: NodeKey
  let mode: LockMode
  let purpose: String
}

extension TableState {
  /// What a record waits for, if partners elsewhere may help and none is asked already.
  func wanted(_ index: Int32) -> PartnerWish? {
    let record = records[Int(index)]
    guard record.purpose.mayBeShared, !record.isSeeking,
      let node = record.waitingNode
    else { return nil }
    record.isSeeking = true
    return PartnerWish(
      number: record.number,
      key: self.node(node).key,
      mode: record.needs[record.position].mode,
      purpose: record.purpose.identifier
    )
  }

  /// Takes the record out of its queue while a partner is asked; false if it waits no more, or if somebody
  /// reads here, too: for that one the partner would wait.
  func stepOut(_ index: Int32, _ wish: PartnerWish) -> Bool {
    guard let (record, node) = waiting(index, wish), node.readers.isEmpty else { return false }
    record.isSeeking = true
    leaveQueue(node, record)
    record.phase = .elsewhere
    tidy(node)
    pump(node)
    return true
  }

  /// Nothing came of it; another try may.
  func endSeeking(_ index: Int32, _ wish: PartnerWish) {
    let record = records[Int(index)]
    guard record.number == wish.number else { return }
    record.isSeeking = false
    guard record.phase == .elsewhere, let at = record.waitingNode else { return }
    enqueue(record, at: node(at))
  }

  /// The record and its node, if it still waits for what was wished.
  private func waiting(_ index: Int32, _ wish: PartnerWish) -> (ClaimRecord, Node)? {
    let record = records[Int(index)]
    guard record.number == wish.number else { return nil }
    record.isSeeking = false
    guard let at = record.waitingNode, node(at).key == wish.key else { return nil }
    return (record, node(at))
  }

  /// A reader whose purpose reads elsewhere takes the node shared, whoever waits for it.
  func joinReaders(_ index: Int32, _ wish: PartnerWish) {
    guard let (record, node) = waiting(index, wish), node.exclusive == nil, node.suspended == nil,
      let file = node.file, !file.isStale
    else { return }
    if record.isInheritable {
      guard let own = try? takeDescription(file, own: true) else { return }
      guard FileLock.attempt(own.number, .shared) == nil else { return file.keepSpare(own) }
      record.own.append((record.position, own))
    } else {
      guard let shared = try? file.sharedDescription(),
        !node.readers.isEmpty || FileLock.attempt(shared.number, .shared) == nil
      else { return }
      node.readers.append(record.index)
    }
    admitPartner(node, record)
  }

  /// A duplicate of the partner's locked description arrived.
  func joined(_ index: Int32, _ wish: PartnerWish, _ description: SharedDescriptor) {
    // If the claim got in by itself meanwhile, the duplicate is closed by going out of scope.
    guard let (record, node) = waiting(index, wish), node.isFree, let file = node.file,
      !file.isStale, file.isSameFile(description.number)
    else { return }
    if wish.mode == .shared, record.isInheritable {
      // For the child to keep; it is the partner's lock as well and only ever closed.
      record.own.append((record.position, description))
      admitPartner(node, record)
      return
    }
    node.exclusive = ExclusiveHold(description, isRetired: true)
    if wish.mode == .exclusive {
      node.writers.append(record.index)
    } else {
      node.readers.append(record.index)
    }
    admitPartner(node, record)
    CoordinationTrace.record(.joined, claim: id(of: record), path: wish.key.path)
  }

  private func admitPartner(_ node: Node, _ record: ClaimRecord) {
    leaveQueue(node, record)
    tidy(node)
    node.heldSince = now
    proceed(record)
    pump(node)
  }

  /// A duplicate of the description that holds a node for claims of this purpose; nil: none does.
  func lend(_ request: PartnerRequest) -> SharedDescriptor? {
    guard let at = index[NodeKey(path: request.path, kind: request.node)] else { return nil }
    let node = node(at)
    let members = request.mode == .exclusive ? node.writers : node.writers + node.readers
    guard let hold = node.exclusive,
      members.contains(where: { index in
        let purpose = records[Int(index)].purpose
        return purpose.mayBeShared && purpose.identifier == request.purpose
      })
    else { return nil }
    // From now on it ends with its last member, wherever that is.
    hold.isRetired = true
    return hold.description
  }
}

/// A write that is made here for a claimant in another process, whose purpose reads here.
final class PartnerUpgrade: ClaimWaiter {
  private let table: ClaimTable
  private let request: PartnerRequest
  private let reply: Mutex<(@Sendable ([UInt8], [SharedDescriptor]) -> Void)?>
  private let record = Mutex<Int32?>(nil)

  init(
    _ table: ClaimTable,
    _ request: PartnerRequest,
    _ reply: @escaping @Sendable ([UInt8], [SharedDescriptor]) -> Void
  ) {
    self.table = table
    self.request = request
    self.reply = Mutex(reply)
  }

  var isCancelled: Bool { false }
  func park(until deadline: MonotonicInstant?) {}
  func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? { nil }
  var hasWork: Bool { false }
  func serve() {}
  func expect(_ item: ItemIdentity) {}
  func wake() { finish() }

  func start() {
    let (table, request) = (table, request)
    let index = table.withState { [self] state -> Int32? in
      guard let at = state.index[NodeKey(path: request.path, kind: request.node)],
        state.isReading(state.node(at), request.purpose)
      else { return nil }
      let claim = ClaimRequest(
        items: [],
        purpose: Purpose(identifier: request.purpose, mayBeShared: true)
      )
      let record = state.makeRecord(number: ClaimID.nextNumber(), claim)
      record.outer = []
      record.needs = [Need(node: at, mode: .exclusive, isTarget: true)]
      state.node(at).users += 1
      record.waiter = self
      record.since = state.now
      // Before anything can wake us.
      self.record.withLock { $0 = record.index }
      state.upgrade(record, at: state.node(at))
      return record.index
    }
    if index == nil { take()?([0], []) } else { finish() }
  }

  /// Hands the lock over once it is there; gives up if it failed.
  private func finish() {
    guard let index = record.withLock({ $0 }) else { return }
    let request = request
    let outcome = table.withState {
      [self] state -> (isOver: Bool, description: SharedDescriptor?) in
      // Two wakes at once: the first one ended it.
      guard self.record.withLock({ $0 }) != nil else { return (false, nil) }
      let record = state.records[Int(index)]
      switch record.state {
      case .granted:
        let description = state.lend(request)
        state.end(record)
        self.record.withLock { $0 = nil }
        return (true, description)
      case .failed:
        state.end(record)
        self.record.withLock { $0 = nil }
        return (true, nil)
      default: return (false, nil)
      }
    }
    guard outcome.isOver else { return }
    take()?([outcome.description == nil ? 0 : 1], outcome.description.map { [$0] } ?? [])
  }

  private func take() -> (@Sendable ([UInt8], [SharedDescriptor]) -> Void)? {
    reply.withLock { reply in
      defer { reply = nil }
      return reply
    }
  }
}

extension TableState {
  /// Whether claims of this purpose read a node here, and nobody writes it.
  func isReading(_ node: Node, _ purpose: String) -> Bool {
    node.exclusive == nil
      && node.readers.contains { records[Int($0)].purpose.identifier == purpose }
  }

  /// Starts an upgrade for a record that has only this need.
  func upgrade(_ record: ClaimRecord, at node: Node) {
    record.state = .taking
    if case .failed(let failure) = startUpgrade(node, record) {
      fail(record, failure)
    }
  }
}
