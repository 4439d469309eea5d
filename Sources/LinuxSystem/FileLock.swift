import CLinux
import Glibc

/// flock(2) on bare descriptor numbers, for the one caller that counts every nanosecond.
///
/// Answers are error numbers instead of thrown values: a lock that is busy is no failure there.
package enum FileLock {
  /// Takes the lock if that needs no waiting: nil when it was taken, EAGAIN when it is busy.
  ///
  /// - SeeAlso: flock(2) LOCK_NB
  package static func attempt(_ number: CInt, _ mode: LockMode) -> Errno? {
    run(number, mode.flag | LOCK_NB)
  }

  /// Takes the lock, blocking the calling thread without limit; nil when it was taken.
  ///
  /// - SeeAlso: flock(2)
  package static func wait(_ number: CInt, _ mode: LockMode) -> Errno? { run(number, mode.flag) }

  /// Gives the lock of this open file description up.
  ///
  /// - SeeAlso: flock(2) LOCK_UN
  package static func release(_ number: CInt) {
    // Unlocking cannot fail on a descriptor that is open; a forced fault must not leave it locked.
    _ = flock(number, LOCK_UN)
  }

  @inline(__always)
  private static func run(_ number: CInt, _ flags: CInt) -> Errno? {
    while true {
      if let forced = SystemCallFaults.next(for: "flock") {
        if forced == EINTR { continue }
        return Errno(rawValue: forced)
      }
      if flock(number, flags) == 0 { return nil }
      let code = cl_errno()
      if code != EINTR { return Errno(rawValue: code) }
    }
  }
}
