import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink
import ProviderLink

/// One coordinated access: arbitrate, ask, accessor, tell, release, in this order.
///
/// ``begin()`` blocks the calling thread; ``finish()`` blocks it until the other processes have
/// queued what they were told, two seconds at most. Whatever happens between them, ``finish()`` or
/// ``abandon()`` is called once.
final class CoordinatedAccess: Sendable {
  private struct State {
    var claim: Claim?
    var urls: [URL] = []
    var before: [FileStatus?] = []
    var audience: AccessAudience?
    var provided: ProvidedAccess?
    var moves: [(old: FilePath, new: FilePath)] = []
    var isOver = false
  }

  let core: CoordinatorCore
  let items: [AccessItem]
  private let deadline: MonotonicInstant?
  private let isInheritable: Bool
  private let record: PresenterRecord?
  let waiter: CoordinationWaiter
  private let state = Mutex(State())

  init(
    _ core: CoordinatorCore,
    _ items: [AccessItem],
    deadline: MonotonicInstant? = nil,
    isInheritable: Bool = false
  ) {
    self.core = core
    self.items = items
    self.deadline = deadline
    self.isInheritable = isInheritable
    record = core.record
    waiter = CoordinationWaiter(for: core, record, items: items)
  }

  // MARK: Getting in

  /// Waits for everybody who must be waited for; afterwards the accessor may run with ``urls``.
  ///
  /// - Throws: ``CoordinationError``; then nothing is held and presenters have their items back.
  func begin() throws(CoordinationError) {
    if core.isCancelled { throw cancelled }
    let claim = try acquire()
    if let audience = audience(of: claim) {
      defer { waiter.end() }
      state.withLock { ($0.claim, $0.audience) = (claim, audience) }
      do throws(CoordinationError) {
        try ask(audience, on: claim)
        try announce(to: audience, claim)
      } catch {
        abandon()
        throw error
      }
    }
    let urls = urls(for: claim)
    state.withLock { ($0.claim, $0.urls) = (claim, urls) }
    do throws(CoordinationError) {
      guard
        let provided = try ProvidedAccess.begin(items, claim.grants, core.purpose, waitForProvider)
      else { return }
      waiter.end()
      state.withLock { $0.provided = provided }
    } catch {
      abandon()
      throw error
    }
  }

  /// Waits for a provider's answer as for everything else: until it comes, or shall not.
  private var waitForProvider: ProviderConnection.Wait {
    { [waiter, deadline] (socket: CInt) throws(ProviderFailure) in
      if waiter.isCancelled { throw .cancelled }
      if let deadline, MonotonicInstant.now >= deadline { throw .timedOut }
      // An answer that is there already, or a greeting, costs no more than a look.
      _ = waiter.park(until: deadline, sockets: [socket])
      if waiter.isCancelled { throw .cancelled }
    }
  }

  private func acquire() throws(CoordinationError) -> Claim {
    var requested: [ClaimRequest.Item] = []
    requested.reserveCapacity(items.count)
    for item in items {
      guard let path = FilePath(item.url) else { throw notAFile(item) }
      requested.append(item.request(at: core.current(path)))
    }
    let purpose = core.purpose
    if purpose.mayBeShared { PurposePartnership.shared.arrange() }
    let request = ClaimRequest(
      items: requested,
      purpose: purpose,
      deadline: deadline,
      passesGatesOf: passes,
      isInheritable: isInheritable
    )
    do throws(ClaimFailure) {
      return try ClaimTable.shared().acquire(request, waiter: waiter)
    } catch {
      throw CoordinationError(claim: error, items)
    }
  }

  /// Whose gates do not stop the claim: asked anew by each wait.
  private var passes: @Sendable () -> Set<ClaimID> {
    guard let record else { return { [] } }
    let isOnItsQueue = OperationQueue.here === record.queue
    return { record.passes(onItsQueue: isOnItsQueue) }
  }

  /// Everybody whom the access may concern; nil, without a system call, if there is nobody.
  private func audience(of claim: Claim) -> AccessAudience? {
    guard
      !PresenterRegistry.isEmpty
        || (!waiter.knowsNobody(presenting: claim.grants.first?.identity)
          && PresenterNetwork.mayBePresented(.toTell(about: asked(claim))))
    else { return nil }
    return AccessAudience(
      claim.id,
      excluding: core.presenterKey,
      onBehalfOf: record?.creditors ?? []
    )
  }

  private func ask(_ audience: AccessAudience, on claim: Claim) throws(CoordinationError) {
    var isAsking = false
    while try audience.hasSomebodyToAsk(about: asked(claim), for: items) {
      guard isAsking else {
        try claiming { () throws(ClaimFailure) in try claim.beginAsking(waiter: waiter) }
        isAsking = true
        // The item may have moved while the nodes were given up: look again.
        continue
      }
      try audience.ask(about: asked(claim), for: items, waiter, until: deadline) {
        claim.noteAsked(audience.processes)
      }
      try claiming { () throws(ClaimFailure) in try claim.endAsking(waiter: waiter) }
      isAsking = false
    }
    if isAsking { try claiming { () throws(ClaimFailure) in try claim.endAsking(waiter: waiter) } }
  }

  private func asked(_ claim: Claim) -> [AskedItem] {
    zip(items, claim.grants).map { item, grant in
      AskedItem(item, grant.identity, isPrepare: false)
    }
  }

  private func claiming(_ body: () throws(ClaimFailure) -> Void) throws(CoordinationError) {
    do throws(ClaimFailure) { try body() } catch { throw CoordinationError(claim: error, items) }
  }

  /// What the accessor gets: the caller's own URL unless the item is elsewhere by now.
  private func urls(for claim: Claim) -> [URL] {
    zip(items, claim.grants).map { item, grant in
      guard
        grant.wasMoved || item.readingOptions.contains(.resolvesSymbolicLink)
          || (core.mayTranslate && FilePath(item.url) != grant.path)
      else {
        return item.url
      }
      return grant.path.url(isDirectory: item.url.hasDirectoryPath)
    }
  }

  /// Tells whoever will hear of the outcome that the accessor is about to run.
  private func announce(to audience: AccessAudience, _ claim: Claim) throws(CoordinationError) {
    guard isWriting, try audience.announceAccessor(on: asked(claim), for: items) else { return }
    let before = claim.grants.map { try? FileStatus(of: $0.identity.item) }  // nil: it is not there
    state.withLock { $0.before = before }
  }

  // MARK: Inside

  /// The URLs for the accessor, in the order of the items.
  var urls: [URL] { state.withLock { $0.urls } }

  /// Descriptors that keep the claim alive in a child process that inherits them.
  var inheritableDescriptors: [CInt] {
    state.withLock { $0.claim }?.inheritableDescriptors() ?? []
  }

  /// Runs the accessor on this thread, which counts as holding the claim meanwhile.
  func run<R, E: Error>(_ accessor: ([URL]) throws(E) -> R) throws(E) -> R {
    let (claim, urls) = state.withLock { ($0.claim, $0.urls) }
    guard let claim else { preconditionFailure("an accessor runs after begin() returned") }
    enterAccessor()
    defer { leaveAccessor() }
    return try claim.withAccessor { () throws(E) -> R in
      try AccessorStack.running(core.presenterKey) { () throws(E) -> R in try accessor(urls) }
    }
  }

  /// The accessor runs from now on: moves that the coordinator announces are this access's.
  func enterAccessor() { if isWriting { core.add(self) } }
  func leaveAccessor() { if isWriting { core.remove(self) } }

  private var isWriting: Bool { items.contains(where: \.isWriting) }

  /// Whether it claims this item for writing.
  func writes(_ path: FilePath) -> Bool {
    guard let claim = state.withLock({ $0.claim }) else { return false }
    return zip(items, claim.grants).contains { item, grant in
      item.isWriting && (grant.identity.item == path || path.isInside(grant.identity.item))
    }
  }

  /// The accessor moved an item: waiters will follow it, presenters will be told.
  func didMove(_ old: FilePath, to new: FilePath) {
    guard old != new else { return }
    state.withLock { $0.moves.append((old, new)) }
  }

  // MARK: Getting out

  /// Tells the presenters what happened, gives them their items back and releases the claim.
  func finish() {
    let (claim, audience, provided, before, moves) = state.withLock { state in
      defer {
        state.isOver = true
        state.audience = nil
        state.provided = nil
      }
      return (state.claim, state.audience, state.provided, state.before, state.moves)
    }
    guard let claim else { return }
    provided?.accessorEnded()
    if audience != nil || !moves.isEmpty {
      let notices = AccessOutcome.notices(of: items, claim.grants, before: before, moves: moves)
      let audience =
        audience ?? AccessAudience(claim.id, excluding: core.presenterKey, onBehalfOf: [])
      audience.finish(notices)
    }
    // Last of all: a claim that begins while this one lasts takes what is announced before as known,
    // waits, and would run at the old place.
    for (old, new) in moves { claim.recordMove(from: old, to: new) }
    claim.release()
    // Not before the accessor: others may be waiting for it.
    waiter.end()
    provided?.tellProviders()
    if core.presenterKey != nil { core.presenterMayHaveItem() }
  }

  /// Nothing happened: presenters get their items back, the claim is released.
  func abandon() {
    let (claim, audience, provided) = state.withLock { state in
      defer {
        state.isOver = true
        state.audience = nil
        state.provided = nil
      }
      return (state.claim, state.audience, state.provided)
    }
    provided?.abandon()
    audience?.abandon()
    claim?.release()
    waiter.end()
  }

  // MARK: Errors

  private var cancelled: CoordinationError {
    CoordinationError(.cancelled, items)
  }

  private func notAFile(_ item: AccessItem) -> CoordinationError {
    CoordinationError(
      .itemUnreachable,
      item.url,
      isWriting: item.isWriting,
      "\(item.url) is not a file URL, so nothing was coordinated and nothing was done; "
        + "make the URL with URL(fileURLWithPath:)."
    )
  }
}
