import CLinux

/// What one thread sleeps on until another wakes it: a futex, so it needs no descriptor.
///
/// A wake that comes before the wait is not lost. One waiting thread at a time.
// @unchecked because the pointer never changes after init and the word behind it is only touched
// atomically; it is freed in deinit, when nobody can wait or wake any more.
@safe package final class ThreadParker: @unchecked Sendable {
  private let word: UnsafeMutablePointer<UInt32>

  package init() {
    unsafe word = .allocate(capacity: 1)
    unsafe word.initialize(to: 0)
  }

  deinit { unsafe word.deallocate() }

  /// Wakes the waiting thread, or the next one that waits.
  ///
  /// Never blocks.
  package func wake() { unsafe cl_unpark(word) }

  /// Blocks the calling thread until it is woken or `deadline` passed; may return early.
  ///
  /// - SeeAlso: futex(2)
  package func wait(until deadline: MonotonicInstant?) {
    unsafe cl_park(word, deadline?.nanoseconds ?? UInt64.max)
  }
}
