import CLinux

/// What one thread sleeps on, or blocks in flock(2) on, until another wakes it.
///
/// It needs no descriptor. A wake that comes before the wait is not lost. One waiting thread at a time.
// @unchecked because the pointer never changes after init and what is behind it is only touched
// atomically; it is freed in deinit, when nobody can wait or wake any more.
@safe package final class ThreadParker: @unchecked Sendable {
  private let sleeper: UnsafeMutablePointer<cl_sleeper>

  package init() {
    unsafe sleeper = .allocate(capacity: 1)
    unsafe sleeper.initialize(to: cl_sleeper())
  }

  deinit { unsafe sleeper.deallocate() }

  /// Ends the wait of the waiting thread, or the next one.
  ///
  /// Never blocks.
  package func wake() { unsafe cl_wake(sleeper) }

  /// Whether a wake came since the last wait; it is used up by this look.
  package func takeWake() -> Bool { unsafe cl_take_wake(sleeper) }

  /// Blocks the calling thread until it is woken or `deadline` passed; may return early.
  ///
  /// - SeeAlso: futex(2)
  package func wait(until deadline: MonotonicInstant?) {
    unsafe cl_sleep(sleeper, deadline?.nanoseconds ?? UInt64.max)
  }

  /// Blocks the calling thread until the lock of this descriptor is there (nil), or
  /// ``Errno/interrupted``: it was woken, or `deadline` passed.
  ///
  /// The thread is interrupted by a real-time signal that its own timer sends, and only then. Where no timer can be made (RLIMIT_SIGPENDING), it looks once a millisecond.
  /// - SeeAlso: flock(2), timer_create(2)
  package func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? {
    if let forced = SystemCallFaults.next(for: "flock") { return Errno(rawValue: forced) }
    let alarm = deadline.map { Alarms.set($0) { [self] in wake() } }
    defer { if let alarm { Alarms.cancel(alarm) } }
    let code = unsafe cl_flock(sleeper, number, mode.flag)
    return code == 0 ? nil : Errno(rawValue: code)
  }
}
