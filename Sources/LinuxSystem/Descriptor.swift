import CLinux
import Glibc

/// An open file descriptor that is owned by one value and closed when that value ends.
///
/// Every descriptor is close-on-exec from birth. One that must not survive a fork without exec
/// (locks, sockets) is registered with ``closeInForkedChild()``.
package struct Descriptor: ~Copyable, Sendable {
  /// The number, for calls that borrow it; never close it.
  package let number: CInt
  /// The fork generation in which it was registered, plus one; 0: it is not.
  private var forkRegistration: UInt64 = 0

  /// Takes over a descriptor that nothing else will close.
  package init(owning number: CInt) { self.number = number }

  deinit { Self.close(number, forkRegistration) }

  /// Gives the number away: the caller now closes it.
  package consuming func release() -> CInt {
    let number = number
    if forkRegistration != 0 { cl_fork_close_forget(number) }
    discard self
    return number
  }

  /// Closes it and says how that went: a file that was written may fail only here.
  ///
  /// - SeeAlso: close(2)
  package consuming func close() throws(SystemError) {
    let number = release()
    do throws(SystemError) {
      _ = try systemCall("close", retrying: false) { Glibc.close(number) }
    } catch  where error.code == .interrupted {
      // On Linux the number is free either way.
    }
  }

  /// Has it closed, never unlocked, in a child that forks without exec.
  ///
  /// - SeeAlso: pthread_atfork(3)
  package mutating func closeInForkedChild() {
    cl_fork_close_register(number)
    forkRegistration = UInt64(cl_fork_generation()) + 1
  }

  /// A second number for the same open file description, close-on-exec.
  ///
  /// - SeeAlso: fcntl(2) F_DUPFD_CLOEXEC
  package borrowing func duplicate() throws(SystemError) -> Descriptor {
    let number = number
    return Descriptor(
      owning: try systemCall("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 3) }
    )
  }

  // close(2) is not retried after EINTR: on Linux the number is free either way.
  private static func close(_ number: CInt, _ forkRegistration: UInt64) {
    if forkRegistration != 0 {
      // After a fork the handler closed a registered number; it may be somebody else's by now.
      guard forkRegistration == UInt64(cl_fork_generation()) + 1 else { return }
      cl_fork_close_forget(number)
    }
    _ = Glibc.close(number)
  }
}

/// A descriptor that several owners share; closed when the last one lets go.
package final class SharedDescriptor: Sendable {
  private let descriptor: Descriptor
  /// The number, for calls that borrow it; never close it.
  package var number: CInt { descriptor.number }

  package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

  /// Runs `body` with the descriptor.
  package func with<R: ~Copyable, E: Error>(
    _ body: (borrowing Descriptor) throws(E) -> R
  ) throws(E) -> R {
    try body(descriptor)
  }
}
