import Glibc

/// A signal, as signal(7) lists it.
package struct Signal: RawRepresentable, Hashable, Sendable {
  package let rawValue: CInt
  package init(rawValue: CInt) { self.rawValue = rawValue }

  package static let hangUp = Signal(rawValue: SIGHUP)
  package static let interrupt = Signal(rawValue: SIGINT)
  package static let kill = Signal(rawValue: SIGKILL)
  package static let terminate = Signal(rawValue: SIGTERM)
  package static let stop = Signal(rawValue: SIGSTOP)
  package static let `continue` = Signal(rawValue: SIGCONT)
  package static let pipe = Signal(rawValue: SIGPIPE)
  package static let user1 = Signal(rawValue: SIGUSR1)

  /// Has this process ignore the signal from now on.
  ///
  /// - SeeAlso: signal(2)
  package func ignore() { _ = signal(rawValue, SIG_IGN) }

  /// Has this process notice the signal and do nothing, so that it only interrupts system calls.
  ///
  /// - SeeAlso: sigaction(2); without SA_RESTART
  package func interruptOnly() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in }
    _ = unsafe sigaction(rawValue, &action, nil)
  }

  /// Sends it to a process; whether there was one.
  ///
  /// - SeeAlso: kill(2)
  @discardableResult
  package func send(to pid: Int32) -> Bool { Glibc.kill(pid, rawValue) == 0 }
}
