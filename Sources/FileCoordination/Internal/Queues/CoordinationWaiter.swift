import AccessClaims
import Foundation
import LinuxSystem

/// How a thread waits inside `coordinate`: cancellable, and serving the queue it runs on.
///
/// Costs nothing until the first wait; then it borrows a wait point, and the coordinator and the
/// presenter learn of it. Used by one thread; woken and cancelled from any.
final class CoordinationWaiter: ClaimWaiter {
  private struct State {
    var point: WaitPoint?
    var server: QueueServer?
    var isCancelled = false
    var wasWoken = false
  }
  private let state = Mutex(State())
  /// The coordinator whose `cancel()` ends the wait.
  private let core: CoordinatorCore?
  /// The coordinator's presenter: what it owes whom decides whose gates are passed.
  private let record: PresenterRecord?

  /// Whether messages for the thread's queue are run while it waits.
  private let servesQueue: Bool

  init(
    for core: CoordinatorCore? = nil,
    _ record: PresenterRecord? = nil,
    servesQueue: Bool = true
  ) {
    self.core = core
    self.record = record
    self.servesQueue = servesQueue
  }

  /// The wait is over, whatever came of it.
  func end() {
    let (point, server) = state.withLock { state in
      defer { (state.point, state.server) = (nil, nil) }
      return (state.point, state.server)
    }
    guard let point else { return }
    if let server { QueueDelivery.remove(server) }
    core?.remove(self)
    record?.remove(self)
    WaitPointPool.giveBack(point)
  }

  deinit { end() }

  var isCancelled: Bool { core?.isCancelled ?? false || state.withLock { $0.isCancelled } }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    wake()
  }

  func wake() {
    let point = state.withLock { state in
      state.wasWoken = true
      return state.point
    }
    point?.wake()
  }

  func park(until deadline: MonotonicInstant?) { _ = park(until: deadline, sockets: []) }

  /// Parks until woken, cancelled, a socket is readable or the deadline passed; may return early.
  ///
  /// Messages for the queue that this thread runs on are run here, in place.
  func park(until deadline: MonotonicInstant?, sockets: [CInt]) -> [CInt] {
    guard let point = prepare() else {
      // No descriptor is left: look again soon instead of not at all.
      ShortPause.run(until: deadline)
      return sockets
    }
    if state.withLock({ $0.server })?.serve() == true { return sockets }
    if state.withLock({ state in
      defer { state.wasWoken = false }
      return state.wasWoken
    }) {
      return sockets
    }
    let until = [deadline, record?.nextReview].compactMap { $0 }.min()
    let readable = point.wait(until: until, alsoReadable: sockets)
    _ = state.withLock({ $0.server })?.serve()
    return readable
  }

  private func prepare() -> WaitPoint? {
    if let point = state.withLock({ $0.point }) { return point }
    guard let point = try? WaitPointPool.borrow() else { return nil }  // EMFILE: the caller polls
    let server = servesQueue ? QueueServer { [weak self] in self?.wake() } : nil
    state.withLock { state in
      state.point = point
      state.server = server
    }
    if let server { QueueDelivery.add(server) }
    record?.add(self)
    // Cancelled in this moment: the caller looks once more before it parks.
    if core?.add(self) == false { wake() }
    return point
  }
}
