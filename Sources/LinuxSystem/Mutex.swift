import CLinux
package import Synchronization

/// A value that one thread at a time may touch: `Synchronization.Mutex`, made fit for two things.
///
/// *ThreadSanitizer.* The standard library's lock sleeps in a futex that the sanitizer does not see, so
/// that it reports every two contended `withLock` as a race. This one notes what the lock orders.
///
/// *A child that was forked without exec.* The standard library's lock is a priority-inheriting futex
/// and holds the number of its thread, which it asks the kernel for once per thread. In the child, the
/// thread that forked goes by its old number: as soon as somebody waits for it, its unlock fails and
/// the process is ended by SIGILL. There a plain futex goes before the lock, which nobody waits for
/// any more.
///
/// Elsewhere both cost a few tests of a flag and an address per lock. Not recursive. A thread that waits
/// for it blocks, so nobody holds it across a call that may block. Files that also need atomics say
/// `import struct Synchronization.Atomic`, which leaves the name `Mutex` to this one.
/// - SeeAlso: futex(2), fork(2)
package struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline package let lock: Synchronization.Mutex<Value>
  /// Locked first in a forked child; elsewhere only its address is used, as the lock's name.
  @usableFromInline package let word = Atomic<UInt32>(0)

  /// Makes an unlocked one that owns `value`.
  @inlinable package init(_ value: consuming sending Value) {
    lock = Synchronization.Mutex(value)
  }

  /// Where the word stands; it stays there for as long as the mutex lives, like any atomic.
  ///
  /// The sanitizer is told this, not the address of the value: `&value` counts as an access of it,
  /// before the note is made.
  @inlinable package var place: UInt {
    unsafe withUnsafePointer(to: word) { UInt(bitPattern: $0) }
  }

  /// Runs `body` with the value while no other thread may; blocks until that is so.
  @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let place = place
    if cl_is_forked_child() { cl_futex_lock(place) }
    defer { if cl_is_forked_child() { cl_futex_unlock(place) } }
    return try lock.withLock { value throws(Failure) in
      cl_note_acquire(place)
      defer { cl_note_release(place) }
      return try body(&value)
    }
  }

  /// Runs `body` with the value unless another thread holds it; never blocks.
  @inlinable package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    let place = place
    if cl_is_forked_child(), !cl_futex_try_lock(place) { return nil }
    defer { if cl_is_forked_child() { cl_futex_unlock(place) } }
    return try lock.withLockIfAvailable { value throws(Failure) in
      cl_note_acquire(place)
      defer { cl_note_release(place) }
      return try body(&value)
    }
  }
}
