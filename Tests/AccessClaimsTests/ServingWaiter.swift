import AccessClaims
import CoordinationRuntime
import LinuxSystem

/// Waits like any other, but is handed one thing to run.
final class ServingWaiter: ClaimWaiter {
  private struct State {
    var work: (@Sendable () -> Void)?
    var isOffered: Bool
  }
  private let plain = PlainWaiter()
  private let state: Mutex<State>

  /// `work` is run at the first chance, or at the first one after ``offer()``.
  init(offered: Bool = true, _ work: @escaping @Sendable () -> Void) {
    state = Mutex(State(work: work, isOffered: offered))
  }

  func offer() {
    state.withLock { $0.isOffered = true }
    plain.wake()
  }

  func park(until deadline: MonotonicInstant?) { plain.park(until: soon(deadline)) }
  func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? {
    plain.lock(number, mode, until: soon(deadline))
  }
  var hasWork: Bool { state.withLock { $0.isOffered && $0.work != nil } }
  func serve() {
    let work = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    work?()
  }
  func expect(_ item: ItemIdentity) {}
  func wake() { plain.wake() }
  var isCancelled: Bool { false }

  private func soon(_ deadline: MonotonicInstant?) -> MonotonicInstant? {
    hasWork ? MonotonicInstant.now + .milliseconds(1) : deadline
  }
}
