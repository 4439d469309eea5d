import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// How a thread waits inside `coordinate`: cancellable, and serving the queue it runs on.
///
/// Costs nothing until the first wait; then the coordinator and the presenter learn of it. Used by
/// one thread; woken and cancelled from any.
final class CoordinationWaiter: ClaimWaiter {
  private struct State {
    var isReady = false
    var server: QueueServer?
    /// Borrowed for as long as there are sockets to watch.
    var point: WaitPoint?
    var isCancelled = false
    /// An item that nobody presented while the presence stamp was this.
    var unpresented: (item: ItemIdentity, stamp: UInt64)?
  }
  private let state = Mutex(State())
  private let parker = ThreadParker()
  /// The coordinator whose `cancel()` ends the wait.
  private let core: CoordinatorCore?
  /// The coordinator's presenter: what it owes whom decides whose gates are passed.
  private let record: PresenterRecord?

  /// Whether messages for the thread's queue are run while it waits.
  private let servesQueue: Bool
  /// What the access is for.
  private let items: [AccessItem]

  init(
    for core: CoordinatorCore? = nil,
    _ record: PresenterRecord? = nil,
    items: [AccessItem] = [],
    servesQueue: Bool = true
  ) {
    self.items = items
    self.core = core
    self.record = record
    self.servesQueue = servesQueue
  }

  /// The wait is over, whatever came of it.
  func end() {
    // Nobody learned of it.
    guard state.withLock({ $0.isReady }) else { return }
    let before = state.withLock { state in
      defer {
        state = State(isCancelled: state.isCancelled, unpresented: state.unpresented)
      }
      return state
    }
    if let server = before.server { QueueDelivery.remove(server) }
    core?.remove(self)
    record?.remove(self)
    if let point = before.point { WaitPointPool.giveBack(point) }
  }

  deinit { end() }

  var isCancelled: Bool { core?.isCancelled ?? false || state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    wake()
  }

  func wake() {
    parker.wake()
    state.withLock { $0.point }?.wake()
  }

  /// Looks while others hold the item whether anybody presents it, so that it need not be done while
  /// they wait.
  func expect(_ item: ItemIdentity) {
    guard items.count == 1, let stamp = PresenterNetwork.presenceStamp else { return }
    let asked = AskedItem(items[0], item, isPrepare: false)
    if PresenterNetwork.mayBePresented(.toTell(about: [asked])) { return }
    state.withLock { $0.unpresented = (item, stamp) }
  }

  /// Whether ``expect(_:)`` found that nobody elsewhere presents the item, and nothing changed since.
  func knowsNobody(presenting item: ItemIdentity?) -> Bool {
    let stamp = state.withLock { state -> UInt64? in
      guard let found = state.unpresented, found.item == item else { return nil }
      return found.stamp
    }
    guard let stamp else { return false }
    return PresenterNetwork.presenceStamp == stamp
  }

  /// Whether a message for the queue that this thread runs on waits to be run here.
  var hasWork: Bool { state.withLock { $0.server }?.hasMessage ?? false }

  func serve() { _ = state.withLock { $0.server }?.serve() }

  func park(until deadline: MonotonicInstant?) {
    if prepare()?.hasMessage == true { return }
    parker.wait(until: earliest(deadline))
  }

  func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? {
    if prepare()?.hasMessage == true { return .interrupted }
    return parker.lock(number, mode, until: earliest(deadline))
  }

  /// Parks until woken, cancelled, a socket is readable or the deadline passed; may return early.
  ///
  /// Gives back the sockets that are worth a look. Messages for the thread's queue are run in place.
  func park(until deadline: MonotonicInstant?, sockets: [CInt]) -> [CInt] {
    guard !sockets.isEmpty else {
      let server = prepare()
      if server?.serve() == true { return [] }
      parker.wait(until: earliest(deadline))
      _ = server?.serve()
      return []
    }
    let server = prepare()
    guard let point = takePoint() else {
      // No descriptor is left: look again soon instead of not at all.
      ShortPause.run(until: deadline)
      return sockets
    }
    if server?.serve() == true || parker.takeWake() { return sockets }
    let readable = point.wait(until: earliest(deadline), alsoReadable: sockets)
    _ = server?.serve()
    return readable
  }

  private func earliest(_ deadline: MonotonicInstant?) -> MonotonicInstant? {
    guard let review = record?.nextReview else { return deadline }
    return deadline.map { min($0, review) } ?? review
  }

  /// Has everybody who may end the wait know of it; gives back who serves the thread's queue.
  private func prepare() -> QueueServer? {
    let (isReady, known) = state.withLock { ($0.isReady, $0.server) }
    if isReady { return known }
    let server = servesQueue ? QueueServer { [weak self] in self?.wake() } : nil
    state.withLock { state in
      state.isReady = true
      state.server = server
    }
    if let server { QueueDelivery.add(server) }
    record?.add(self)
    // Asked before it learned of the wait: whose gates that opens is looked at once more.
    if record?.creditors.isEmpty == false { wake() }
    // Cancelled in this moment: the caller looks once more before it waits.
    if core?.add(self) == false { wake() }
    return server
  }

  private func takePoint() -> WaitPoint? {
    if let point = state.withLock({ $0.point }) { return point }
    guard let point = try? WaitPointPool.borrow() else { return nil }  // EMFILE: the caller polls
    state.withLock { $0.point = point }
    return point
  }
}
