import CLinux
import Glibc

/// The two ways flock(2) locks.
package enum LockMode: Sendable, Hashable {
  case shared, exclusive
  var flag: CInt { self == .shared ? LOCK_SH : LOCK_EX }
}

extension Descriptor {
  /// Takes an advisory lock on the open file description, waiting for it.
  ///
  /// Blocks the calling thread without limit. A lock that this description holds already is
  /// converted: given up first, then waited for.
  /// - SeeAlso: flock(2)
  package borrowing func lock(_ mode: LockMode) throws(SystemError) {
    let number = number
    _ = try systemCall("flock") { flock(number, mode.flag) }
  }

  /// Takes an advisory lock if that needs no waiting; says whether it did.
  ///
  /// - SeeAlso: flock(2) LOCK_NB
  package borrowing func tryLock(_ mode: LockMode) throws(SystemError) -> Bool {
    let number = number
    do {
      _ = try systemCall("flock") { flock(number, mode.flag | LOCK_NB) }
      return true
    } catch  where error.code == .again {
      return false
    }
  }

  /// Gives the lock of this open file description up.
  ///
  /// - SeeAlso: flock(2) LOCK_UN
  package borrowing func unlock() throws(SystemError) {
    let number = number
    _ = try systemCall("flock") { flock(number, LOCK_UN) }
  }
}
