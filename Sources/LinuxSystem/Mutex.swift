import CLinux
package import Synchronization

/// A value that one thread at a time may touch: `Synchronization.Mutex`, told to ThreadSanitizer.
///
/// The standard library's lock sleeps in a futex that the sanitizer does not see, so that it reports
/// every two contended `withLock` as a race. Compiled with `-Xswiftc -DSANITIZED`, as CI does for the
/// sanitizer's run, this one notes what the lock orders; in all other builds nothing is left of it but
/// the standard library's.
///
/// Not recursive. A thread that waits for it blocks, so nobody holds it across a call that may block.
/// Files that also need atomics say `import struct Synchronization.Atomic`, which leaves the name
/// `Mutex` to this one.
/// - SeeAlso: futex(2)
// Like the standard library's own, its members are copied into every caller: as inlinable ones they
// were called, unspecialised, which was a tenth of an uncontended claim.
package struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline package let lock: Synchronization.Mutex<Value>

  /// Makes an unlocked one that owns `value`.
  @_alwaysEmitIntoClient @_transparent
  package init(_ value: consuming sending Value) {
    lock = Synchronization.Mutex(value)
  }

  #if SANITIZED
  /// Where the lock stands: only a name for the sanitizer, nothing is read or written through it.
  ///
  /// Not the address of the value: `&value` counts as an access of it, before the note is made.
  @inlinable package var place: UInt {
    unsafe withUnsafePointer(to: lock) { UInt(bitPattern: $0) }
  }
  #endif

  /// Runs `body` with the value while no other thread may; blocks until that is so.
  @_alwaysEmitIntoClient @_transparent
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if SANITIZED
    let place = place
    return try lock.withLock { value throws(Failure) in
      cl_note_acquire(place)
      defer { cl_note_release(place) }
      return try body(&value)
    }
    #else
    return try lock.withLock(body)
    #endif
  }

  /// Runs `body` with the value unless another thread holds it; never blocks.
  @_alwaysEmitIntoClient @_transparent
  package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    #if SANITIZED
    let place = place
    return try lock.withLockIfAvailable { value throws(Failure) in
      cl_note_acquire(place)
      defer { cl_note_release(place) }
      return try body(&value)
    }
    #else
    return try lock.withLockIfAvailable(body)
    #endif
  }
}
