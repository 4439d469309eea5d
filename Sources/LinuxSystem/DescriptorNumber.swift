import CLinux
import Glibc

/// What can be done to a descriptor that a C library owns.
package enum DescriptorNumber {
  /// Sets close-on-exec.
  ///
  /// A program that another thread starts before this still inherits it.
  ///
  /// - SeeAlso: fcntl(2) F_SETFD
  package static func closeOnExec(_ number: CInt) {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  /// Has it closed in a child that forks without exec.
  package static func closeInForkedChild(_ number: CInt) { cl_fork_close_register(number) }

  /// Takes that back, before its owner closes it.
  package static func keepInForkedChild(_ number: CInt) { cl_fork_close_forget(number) }
}
