import CoordinationRuntime
import LinuxSystem

/// The way to a granted claim: tries, waits, looks again, and starts over when the answer changed.
///
/// Kept by the claim, which goes a part of the way again after presenters were asked.
struct Acquisition: Sendable {
  private enum Step: Sendable {
    case needsPlan(Int)
    /// Where there is nothing to block on: looks again at this moment, in monotonic nanoseconds.
    case waiting(Int32, KernelJob?, until: UInt64)
    case granted(Granted)
    case failed(ClaimFailure)
  }
  /// What was granted, to be looked at again.
  struct Granted: Sendable {
    let record: Int32
    let wasSlow: Bool
    /// Whether its locks are those of the files that everybody else locks.
    let isLinked: Bool
    /// How many moves were announced by then.
    let moves: UInt64
    /// The plan of the first item, which is nearly always the only one, and those of the others.
    let first: ItemPlan
    let others: [ItemPlan]
    /// Which plans' packages may have changed.
    let doubtful: [Int]

    func plan(_ at: Int) -> ItemPlan { at == 0 ? first : others[at - 1] }
  }

  let table: ClaimTable
  private let number: UInt64
  private var request: ClaimRequest
  private let movingItems: [Int]
  private var wasMoved: [Bool] = []
  /// Whether any attempt had to wait: from then on moves are looked for.
  private var wasSlow = false
  /// The number of the last move that was followed, or that happened before the call.
  private var lastMove: UInt64?
  private var waiter: (any ClaimWaiter)?
  /// The plan that was found to hold while the claim waited for the item, and until when that counts.
  private var seenAhead: (plan: ItemPlan, until: MonotonicInstant)?

  init(table: ClaimTable, request: ClaimRequest, number: UInt64) {
    self.table = table
    self.request = request
    self.number = number
    movingItems = request.items.indices.filter { request.items[$0].access == .movingWrite }
  }

  /// Goes all the way.
  mutating func run(_ makeWaiter: () -> any ClaimWaiter) throws(ClaimFailure) -> Outcome {
    defer { waiter = nil }
    var restarts = 0
    while true {
      if let outcome = try settled(try attempt(makeWaiter), &restarts) { return outcome }
    }
  }

  /// Goes on with a record that was granted before; `body` gives back or takes under the mutex, or says
  /// that it kept all: then nil, and what was granted still is.
  mutating func resume(
    _ record: Int32,
    _ makeWaiter: () -> any ClaimWaiter,
    _ body: @Sendable (TableState, ClaimRecord) -> Bool
  ) throws(ClaimFailure) -> Outcome? {
    defer { waiter = nil }
    // From before the presenters were asked.
    seenAhead = nil
    let step = table.withState { state -> Step? in
      let record = state.records[Int(record)]
      record.waiter = nil
      record.thread = ThreadClaims.thread
      record.wasSlow = false
      record.since = state.now
      if body(state, record) { return nil }
      state.settle()
      return Self.step(record, state)
    }
    guard let step else { return nil }
    var restarts = 0
    let granted: Granted
    switch step {
    case .granted(let now): granted = now
    case .failed(let failure): throw failure
    case .waiting(let record, _, _): granted = try wait(record, makeWaiter)
    case .needsPlan: preconditionFailure("planned before")
    }
    if let outcome = try settled(granted, &restarts) { return outcome }
    return try run(makeWaiter)
  }

  /// The outcome, if what was granted is still what was asked for; nil: start over.
  private mutating func settled(_ granted: Granted, _ restarts: inout Int) throws(ClaimFailure)
    -> Outcome?
  {
    switch try check(granted) {
    case .holds: return Outcome(record: granted.record, grants: grants(granted))
    case .moved, .removed: return nil
    case .changed(let path):
      restarts += 1
      if restarts > 8 { throw .unstablePath(path) }
      CoordinationTrace.record(.restarted, path: path, "the path stands for something else now")
      return nil
    }
  }

  /// A granted record and what it grants.
  struct Outcome: Sendable {
    let record: Int32
    let grants: [Grant]
  }

  // MARK: - One attempt

  private mutating func attempt(_ makeWaiter: () -> any ClaimWaiter) throws(ClaimFailure) -> Granted
  {
    classifyMoves()
    var step = begin()
    while case .needsPlan(let item) = step {
      try plan(item)
      step = begin()
    }
    switch step {
    case .granted(let granted): return granted
    case .failed(let failure): throw failure
    case .waiting(let record, _, _): return try wait(record, makeWaiter)
    case .needsPlan: preconditionFailure("planned above")
    }
  }

  private mutating func begin() -> Step {
    let (step, moves) = table.withState { state -> (Step, UInt64) in
      let moves = lastMove ?? state.moves?.count ?? 0
      let record = state.makeRecord(number: number, request)
      record.blocksItself = true
      for (at, item) in request.items.enumerated() {
        let key = PlanKey(path: item.path, followsLink: item.followsLink)
        guard let entry = state.plans[key] else {
          state.freeRecord(record)
          return (.needsPlan(at), moves)
        }
        record.items.append(entry)
        record.accesses.append(item.access)
      }
      state.makeNeeds(record)
      record.since = state.now
      state.advance(record)
      state.settle()
      return (Self.step(record, state), moves)
    }
    self.lastMove = moves
    return step
  }

  private static func step(_ record: ClaimRecord, _ state: TableState) -> Step {
    switch record.state {
    case .granted, .asking:
      state.board?.note(record, state)
      return .granted(Self.granted(record, state))
    case .failed(let failure):
      state.end(record)
      return .failed(failure)
    default:
      return .waiting(
        record.index,
        state.job(record),
        until: record.phase == .polite ? record.politeUntil : .max
      )
    }
  }

  /// Collects what must be looked at again outside.
  static func granted(_ record: ClaimRecord, _ state: TableState) -> Granted {
    var doubtful: [Int] = []
    for (at, entry) in record.items.enumerated()
    where !state.knowsPackages(of: entry, record) { doubtful.append(at) }
    return Granted(
      record: record.index,
      wasSlow: record.wasSlow,
      isLinked: state.holdsLinkedFiles(record),
      moves: state.moves?.count ?? 0,
      first: record.items[0].plan,
      others: record.items.count == 1 ? [] : record.items.dropFirst().map(\.plan),
      doubtful: doubtful
    )
  }

  /// Resolves an item, without any lock, and keeps the answer as the next guess.
  private mutating func plan(_ at: Int) throws(ClaimFailure) {
    let item = request.items[at]
    let plan: ItemPlan
    do throws(SystemError) {
      plan = try ItemPlan(item.path, followsLink: item.followsLink, resolver: table.resolver)
    } catch {
      throw .unreachable(error)
    }
    let key = PlanKey(path: item.path, followsLink: item.followsLink)
    table.withState { state in state.plans[key] = PlanEntry(plan) }
  }

  /// Decides what moves are: structural for a directory, a plain write for a file or for nothing.
  private mutating func classifyMoves() {
    for at in movingItems {
      request.items[at].access = Self.isDirectory(request.items[at]) ? .structuralWrite : .write
    }
  }

  private static func isDirectory(_ item: ClaimRequest.Item) -> Bool {
    // What cannot be looked at is no directory for the matrix; the accessor will meet the error.
    let path = item.path.withoutTrailingSlashes
    return (try? FileStatus(of: path, followingLink: item.followsLink).kind == .directory) ?? false
  }

  // MARK: - Waiting

  private mutating func wait(_ record: Int32, _ makeWaiter: () -> any ClaimWaiter)
    throws(ClaimFailure) -> Granted
  {
    let waiter = waiter ?? makeWaiter()
    self.waiter = waiter
    let deadline = limit
    let watch = WaitWatch(table: table, record: record, purpose: request.purpose)
    var ended: (job: KernelJob, code: Errno?)?
    letPass(record)
    while true {
      switch goOn(record, waiter, after: ended) {
      case .granted(let granted):
        if waiter.isCancelled {
          table.withState { $0.end($0.records[Int(record)]) }
          throw .cancelled
        }
        return granted
      case .failed(let failure): throw failure
      case .waiting(_, let job?, _):
        if let plan = job.plan, !wasSeenAhead(plan) { lookAhead(plan, waiter) }
        ended = (job, waiter.lock(job.number, job.mode, until: watch.next(deadline)))
        // Got this one: to the next at once.
        if ended?.code == nil { continue }
      case .waiting(_, nil, let until):
        ended = nil
        let next = MonotonicInstant(nanoseconds: until)
        waiter.park(until: min(watch.next(deadline), next))
        if MonotonicInstant.now >= next { continue }
      case .needsPlan: preconditionFailure("planned before")
      }
      if let arrival = ended {
        table.withState { $0.arrived(arrival.job, arrival.code) }
        ended = nil
      }
      if let failure = reason(waiter, deadline) {
        if try giveUp(record) { throw failure }
        continue
      }
      if waiter.hasWork, stepAside(record) {
        waiter.serve()
        seenAhead = nil
        table.withState { $0.advance($0.records[Int(record)]) }
        continue
      }
      letPass(record)
      if let failure = watch.look() {
        if try giveUp(record) { throw failure }
      }
    }
  }

  /// Looks whether the path still holds while somebody else has the item, so that it need not be done
  /// while everybody waits for this claim.
  ///
  /// The trees above are held already: no claim can change what the path stands for. Programs that
  /// make no claims can at any time; therefore the look is good for a few milliseconds only.
  private mutating func lookAhead(_ plan: ItemPlan, _ waiter: any ClaimWaiter) {
    waiter.expect(plan.identity)
    guard movingItems.isEmpty, plan.provenBy != nil else { return }
    // What it throws it will throw again, and be heard, once the item is held.
    guard (try? plan.stillHolds(table.resolver)) == true else { return }
    seenAhead = (plan, MonotonicInstant.now + .milliseconds(5))
  }

  /// Leaves the line and gives back what the claim holds so far, gates under which presenters were asked
  /// included; says whether it did.
  private func stepAside(_ record: Int32) -> Bool {
    table.withState { state in
      let record = state.records[Int(record)]
      guard case .waiting = record.state else { return false }
      state.withdraw(record)
      record.state = .taking
      state.giveBack(record)
      return true
    }
  }

  /// When the wait must end.
  ///
  /// Other processes may keep the trees that this claim takes exclusively for a moment after their last
  /// claim: a limit shorter than that would fail for nothing.
  private var limit: MonotonicInstant? {
    guard let deadline = request.deadline else { return nil }
    guard request.items.contains(where: { $0.access == .structuralWrite }) else { return deadline }
    let least = MonotonicInstant.now + .nanoseconds(Int64(4 * TableState.lingering))
    return max(deadline, least)
  }

  /// Tells what came of the last wait in the kernel, and asks what is next.
  private func goOn(
    _ record: Int32,
    _ waiter: any ClaimWaiter,
    after ended: (job: KernelJob, code: Errno?)?
  ) -> Step {
    table.withState { state -> Step in
      if let ended { state.arrived(ended.job, ended.code) }
      let record = state.records[Int(record)]
      if case .waiting = record.state, record.waiter == nil { record.waiter = waiter }
      if record.phase == .polite { state.endPoliteness(record) }
      record.wait?.isRunning = true
      return Self.step(record, state)
    }
  }

  /// Asks anew whose gates do not stop the claim, and goes past one that does not.
  private func letPass(_ record: Int32) {
    let passes = request.passesGatesOf()
    if passes.isEmpty { return }
    table.withState { state in
      let record = state.records[Int(record)]
      guard record.passes != passes else { return }
      record.passes = passes
      state.board?.notePasses(record)
      guard let index = record.waitingNode, !record.isExpress else { return }
      let node = state.node(index)
      if state.needsNoGate(record, node) { state.passOver(node, record) }
    }
  }

  private func reason(_ waiter: any ClaimWaiter, _ deadline: MonotonicInstant?) -> ClaimFailure? {
    if waiter.isCancelled { return .cancelled }
    if let deadline, MonotonicInstant.now >= deadline { return .timedOut }
    return nil
  }

  /// Ends the wait, unless it was decided in this moment; says whether it ended it.
  private func giveUp(_ record: Int32) throws(ClaimFailure) -> Bool {
    table.withState { state in
      let record = state.records[Int(record)]
      guard case .waiting = record.state else { return false }
      state.withdraw(record)
      state.end(record)
      return true
    }
  }

  // MARK: - Looking again

  private enum Check {
    case holds
    case moved
    /// A stranger removed a lock file before it was locked.
    case removed
    case changed(FilePath)
  }

  /// Whether what was locked is still what was asked for; everything is given back when not.
  private mutating func check(_ granted: Granted) throws(ClaimFailure) -> Check {
    if granted.wasSlow { wasSlow = true }
    if wasSlow, followMove(granted) { return .moved }
    guard granted.isLinked else {
      release(granted)
      return .removed
    }
    if Mutation.isOn(.skipVerify) { return .holds }
    for at in request.items.indices {
      let plan = granted.plan(at)
      let holds: Bool
      do throws(SystemError) {
        let isInPlace = wasSeenAhead(plan) ? true : try plan.stillHolds(table.resolver)
        holds =
          isInPlace && (!granted.doubtful.contains(at) || isSamePackage(plan, granted.record, at))
      } catch {
        release(granted)
        throw .unreachable(error)
      }
      let access = request.items[at].access
      let isSameKind =
        !movingItems.contains(at)
        || Self.isDirectory(request.items[at]) == (access == .structuralWrite)
      if !holds || !isSameKind {
        release(granted, forgetting: at)
        return .changed(plan.raw)
      }
    }
    return .holds
  }

  private func wasSeenAhead(_ plan: ItemPlan) -> Bool {
    guard let seenAhead, seenAhead.plan === plan else { return false }
    return MonotonicInstant.now < seenAhead.until
  }

  private func isSamePackage(_ plan: ItemPlan, _ record: Int32, _ at: Int) -> Bool {
    let now = table.resolver.identity(of: plan.identity.item)
    guard now == plan.identity else { return false }
    table.withState { state in
      let entry = state.records[Int(record)].items[at]
      entry.stamp = state.stamp(entry)
      entry.stampSeenAt = state.now
      entry.packagesReadAt = state.now
    }
    return true
  }

  private func release(_ granted: Granted, forgetting at: Int? = nil) {
    let item = at.map { request.items[$0] }
    table.withState { state in
      if let item {
        state.plans[PlanKey(path: item.path, followsLink: item.followsLink)] = nil
      }
      state.end(state.records[Int(granted.record)])
    }
  }

  /// Goes along with the oldest move that took one of the items elsewhere while the claim waited.
  private mutating func followMove(_ granted: Granted) -> Bool {
    guard let last = lastMove, granted.moves > last, let ring = table.state.withLock({ $0.moves })
    else { return false }
    let found = request.items.indices.compactMap { at -> MoveRing.Note? in
      guard request.items[at].followsMoves else { return nil }
      return ring.firstMove(of: granted.plan(at).identity.item, after: last)
    }
    guard let note = found.min(by: { $0.number < $1.number }) else { return false }
    if wasMoved.isEmpty { wasMoved = request.items.map { _ in false } }
    for at in request.items.indices where request.items[at].followsMoves {
      let item = granted.plan(at).identity.item
      guard let new = item.rebased(from: note.from, to: note.to) else { continue }
      request.items[at].path = new
      wasMoved[at] = true
    }
    lastMove = note.number
    release(granted)
    CoordinationTrace.record(.moved, path: note.to, "a waiting claim follows from \(note.from)")
    return true
  }

  private func grants(_ granted: Granted) -> [Grant] {
    request.items.indices.map { at in
      let moved = wasMoved.isEmpty ? false : wasMoved[at]
      let item = request.items[at]
      let plan = granted.plan(at)
      return Grant(
        identity: plan.identity,
        path: item.followsLink ? plan.canonical : item.path,
        wasMoved: moved
      )
    }
  }
}
