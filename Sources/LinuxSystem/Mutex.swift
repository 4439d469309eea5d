public import CLinux
public import Synchronization

// Like the standard library's own, its members are copied into every caller. Public for that alone, though
// this module is no product: as members of the package they were called, unspecialised, by 500 places, and
// looked for the metadata of their types each time.

/// A value that one thread at a time may touch: `Synchronization.Mutex`, made fit for two things.
///
/// *ThreadSanitizer.* The standard library's lock sleeps in a futex that the sanitizer does not see, so
/// that it reports every two contended `withLock` as a race. Compiled with `-Xswiftc -DSANITIZED`, as
/// CI does for the sanitizer's run, this one notes what the lock orders.
///
/// *A child that was forked without exec.* The standard library's lock is a priority-inheriting futex
/// and holds the number of its thread, which it asks the kernel for once per thread. In the child, the
/// thread that forked goes by its old number: as soon as somebody waits for it, its unlock fails and
/// the process is ended by SIGILL. There a plain futex goes before the lock, which nobody waits for
/// any more. Elsewhere that costs two looks at a flag.
///
/// Not recursive. A thread that waits for it blocks, so nobody holds it across a call that may block.
/// Files that also need atomics say `import struct Synchronization.Atomic`, which leaves the name
/// `Mutex` to this one.
/// - SeeAlso: futex(2), fork(2)
public struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline let lock: Synchronization.Mutex<Value>
  /// Locked first in a forked child; elsewhere only its address is used, as the lock's name.
  @usableFromInline let word: Atomic<UInt32>

  /// Makes an unlocked one that owns `value`.
  @_alwaysEmitIntoClient @_transparent
  public init(_ value: consuming sending Value) {
    lock = Synchronization.Mutex(value)
    word = Atomic(0)
  }

  /// Where the word stands; it stays there for as long as the mutex lives, like any atomic.
  ///
  /// The sanitizer is told this, not the address of the value: `&value` counts as an access of it,
  /// before the note is made.
  @_alwaysEmitIntoClient @_transparent
  public var place: UInt {
    unsafe withUnsafePointer(to: word) { UInt(bitPattern: $0) }
  }

  /// Runs `body` with the value while no other thread may; blocks until that is so.
  ///
  /// In a forked child by the same generic members as elsewhere, which have been used before: what a
  /// child used for the first time would take locks of Swift's runtime, which may be held for ever.
  @_alwaysEmitIntoClient @_transparent
  public borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if SANITIZED
    return try withNotes(body)
    #else
    if cl_is_forked_child() { cl_futex_lock(place) }
    defer { if cl_is_forked_child() { cl_futex_unlock(place) } }
    return try lock.withLock(body)
    #endif
  }

  /// Runs `body` with the value unless another thread holds it; never blocks.
  @_alwaysEmitIntoClient @_transparent
  public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    #if SANITIZED
    return try withNotesIfAvailable(body)
    #else
    if cl_is_forked_child(), !cl_futex_try_lock(place) { return nil }
    defer { if cl_is_forked_child() { cl_futex_unlock(place) } }
    return try lock.withLockIfAvailable(body)
    #endif
  }

  #if SANITIZED
  // Never copied: within a caller the sanitizer takes the lock's own word for a part of the value.

  /// ``withLock(_:)`` where the sanitizer looks on.
  @_alwaysEmitIntoClient @inline(never)
  public borrowing func withNotes<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    let here = place
    if cl_is_forked_child() { cl_futex_lock(here) }
    defer { if cl_is_forked_child() { cl_futex_unlock(here) } }
    return try lock.withLock { value throws(Failure) in
      cl_note_acquire(here)
      defer { cl_note_release(here) }
      return try body(&value)
    }
  }

  /// ``withLockIfAvailable(_:)`` there.
  @_alwaysEmitIntoClient @inline(never)
  public borrowing func withNotesIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    let here = place
    if cl_is_forked_child(), !cl_futex_try_lock(here) { return nil }
    defer { if cl_is_forked_child() { cl_futex_unlock(here) } }
    return try lock.withLockIfAvailable { value throws(Failure) in
      cl_note_acquire(here)
      defer { cl_note_release(here) }
      return try body(&value)
    }
  }
  #endif
}
