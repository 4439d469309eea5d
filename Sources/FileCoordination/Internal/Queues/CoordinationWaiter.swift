import AccessClaims
import Foundation
import LinuxSystem
import Synchronization

/// How a thread waits inside `coordinate`: cancellable, and serving the queue it runs on.
///
/// Costs nothing until the first wait; then it borrows a wait point. Used by one thread; woken and
/// cancelled from any.
final class CoordinationWaiter: ClaimWaiter {
  private struct State {
    var point: WaitPoint?
    var server: QueueServer?
    var isCancelled = false
    var wasWoken = false
  }
  private let state = Mutex(State())
  /// An extra moment at which the claim looks again, though nobody woke it.
  private let reviews: @Sendable () -> MonotonicInstant?

  init(reviewingAt reviews: @escaping @Sendable () -> MonotonicInstant? = { nil }) {
    self.reviews = reviews
  }

  deinit {
    let (point, server) = state.withLock { ($0.point, $0.server) }
    if let server { QueueDelivery.remove(server) }
    if let point { WaitPointPool.giveBack(point) }
  }

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

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
    let review = reviews()
    let until = [deadline, review].compactMap { $0 }.min()
    let readable = point.wait(until: until, alsoReadable: sockets)
    _ = state.withLock({ $0.server })?.serve()
    return readable
  }

  private func prepare() -> WaitPoint? {
    if let point = state.withLock({ $0.point }) { return point }
    guard let point = try? WaitPointPool.borrow() else { return nil }  // EMFILE: the caller polls
    let server = QueueServer { [weak self] in self?.wake() }
    state.withLock { state in
      state.point = point
      state.server = server
    }
    if let server { QueueDelivery.add(server) }
    return point
  }
}
