package import CoordinationRuntime
package import LinuxSystem

/// A granted claim.
///
/// Everything it holds is given back by ``release()``, at the latest when it goes.
///
/// All members may be called from any thread, the asking ones from one thread at a time.
package final class Claim: Sendable {
  package typealias Grant = AccessClaims.Grant

  private struct State {
    var acquisition: Acquisition
    var record: Int32
    var grants: [Grant]
    var isReleased = false
  }

  package let id: ClaimID
  let table: ClaimTable
  private let state: Mutex<State>

  init(_ acquisition: Acquisition, number: UInt64, _ outcome: Acquisition.Outcome) {
    table = acquisition.table
    id = ClaimID(process: table.process, number: number)
    state = Mutex(
      State(acquisition: acquisition, record: outcome.record, grants: outcome.grants)
    )
    CoordinationTrace.record(.granted, claim: id, path: outcome.grants.first?.path)
  }

  deinit { release() }

  /// What was granted, per requested item, in the order of the request.
  package var grants: [Grant] { state.withLock { $0.grants } }

  /// Runs `body` as the claim's accessor: claims made on this thread meanwhile are nested in this one.
  package func withAccessor<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    ThreadClaims.push(id.number)
    defer { ThreadClaims.pop() }
    return try body()
  }

  /// Gives everything back.
  ///
  /// Does nothing the second time, nor in a forked child.
  package func release() {
    // In a forked child the descriptors are closed and the mutexes may be held for ever.
    guard table.generation == ForkGeneration.current else { return }
    let record = state.withLock { state -> Int32? in
      if state.isReleased { return nil }
      state.isReleased = true
      return state.record
    }
    guard let record else { return }
    // Recorded first: who watches must not see the next grant before this end.
    CoordinationTrace.record(.released, claim: id)
    let isWaitedFor = table.withState { state in state.endItems(state.records[Int(record)]) }
    if isWaitedFor {
      ThreadTurn.yield()
      table.withState { state in state.end(state.records[Int(record)]) }
    }
  }

  /// Announces that an item moved, to claims that wait for it.
  ///
  /// Call it before ``release()``.
  package func recordMove(from: FilePath, to: FilePath) {
    let resolver = table.resolver
    // What cannot be resolved is announced as it is spelled.
    let old = (try? resolver.item(from, followingLink: false)) ?? from
    let new = (try? resolver.item(to, followingLink: false)) ?? to
    guard let ring = table.state.withLock({ $0.moves }) else { return }
    ring.append(from: old, to: new)
    CoordinationTrace.record(.moved, claim: id, path: new, "from \(old)")
  }

  /// The numbers of the descriptors that hold an inheritable claim's locks, for a child to keep.
  package func inheritableDescriptors() -> [CInt] {
    withRecord([]) { state, record in
      guard record.isInheritable else { return [] }
      var numbers = record.own.map(\.description.number)
      for need in record.needs where need.mode == .exclusive && need.isHeld {
        if let hold = state.node(need.node).exclusive { numbers.append(hold.description.number) }
      }
      return numbers
    }
  }

  /// Shows on the board which processes the claim is asking.
  package func noteAsked(_ processes: [ProcessIdentity]) {
    withRecord(()) { state, record in state.board?.noteAsked(record, processes) }
    CoordinationTrace.record(.asking, claim: id, "\(processes)")
  }

  func withRecord<R: Sendable>(
    _ otherwise: R,
    _ body: @Sendable (TableState, ClaimRecord) -> R
  ) -> R {
    let record = state.withLock { $0.isReleased ? nil : $0.record }
    guard let record, table.generation == ForkGeneration.current else { return otherwise }
    return table.withState { body($0, $0.records[Int(record)]) }
  }

  /// Goes a part of the way to the grant again, unless `body` says that nothing was given back; when that
  /// fails, nothing is held any more.
  func goAgain(
    _ waiter: () -> any ClaimWaiter,
    _ body: @Sendable (TableState, ClaimRecord) -> Bool
  ) throws(ClaimFailure) {
    let (before, record) = state.withLock { state in
      let record = state.isReleased ? nil : state.record
      // Nobody else may give the record back while it is on its way.
      state.isReleased = true
      return (state.acquisition, record)
    }
    guard let record else { throw .cancelled }
    var acquisition = before
    let outcome: Acquisition.Outcome?
    do throws(ClaimFailure) { outcome = try acquisition.resume(record, waiter, body) } catch {
      CoordinationTrace.record(.failed, claim: id, "\(error)")
      throw error
    }
    let after = acquisition
    state.withLock { state in
      guard let outcome else {
        state.isReleased = false
        return
      }
      state = State(acquisition: after, record: outcome.record, grants: outcome.grants)
    }
  }
}
