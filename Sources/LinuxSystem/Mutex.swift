import CLinux
package import Synchronization

/// A value that one thread at a time may touch: `Synchronization.Mutex`, told to ThreadSanitizer.
///
/// The standard library's lock sleeps in a futex that the sanitizer does not see, so that it reports
/// every two contended `withLock` as a race. This one notes what the lock orders. Without the sanitizer
/// the notes are two tests of a null address per lock.
///
/// Not recursive. A thread that waits for it blocks, so nobody holds it across a call that may block.
/// Files that also need atomics say `import struct Synchronization.Atomic`, which leaves the name
/// `Mutex` to this one.
/// - SeeAlso: futex(2)
package struct Mutex<Value: ~Copyable>: ~Copyable, Sendable {
  @usableFromInline package let lock: Synchronization.Mutex<Value>

  /// Makes an unlocked one that owns `value`.
  @inlinable @inline(__always) package init(_ value: consuming sending Value) {
    lock = Synchronization.Mutex(value)
  }

  /// Runs `body` with the value while no other thread may; blocks until that is so.
  @inlinable @inline(__always) package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try lock.withLock { value throws(Failure) in
      unsafe withUnsafeMutablePointer(to: &value) { unsafe cl_note_acquire($0) }
      defer { unsafe withUnsafeMutablePointer(to: &value) { unsafe cl_note_release($0) } }
      return try body(&value)
    }
  }

  /// Runs `body` with the value unless another thread holds it; never blocks.
  @inlinable @inline(__always)
  package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    try lock.withLockIfAvailable { value throws(Failure) in
      unsafe withUnsafeMutablePointer(to: &value) { unsafe cl_note_acquire($0) }
      defer { unsafe withUnsafeMutablePointer(to: &value) { unsafe cl_note_release($0) } }
      return try body(&value)
    }
  }
}
