import CLinux
import Glibc

/// Signals that are read by a thread of ours instead of interrupting some other one.
///
/// They are blocked in the thread that makes the source and in every thread started from it later, so
/// it is made before anything else runs. A signal that the process was started to ignore (nohup, a
/// job in the background) stays ignored. Programs started by ``RunningCommand`` get the mask that
/// stood before.
package final class SignalSource: Sendable {
  /// One signal that came.
  package struct Arrival: Hashable, Sendable {
    package let signal: Signal
    /// Whether the kernel sent it, as for a key on the terminal.
    ///
    /// Then the whole foreground job has it already; otherwise a process sent it to us alone.
    package let isFromKernel: Bool

    package init(signal: Signal, isFromKernel: Bool) {
      self.signal = signal
      self.isFromKernel = isFromKernel
    }
  }

  private let descriptor: Descriptor
  let maskBefore: SignalMask

  /// Blocks `signals` in the calling thread.
  ///
  /// - SeeAlso: signalfd(2)
  package init(_ signals: [Signal]) throws(SystemError) {
    var wanted = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&wanted)
    for signal in signals { unsafe sigaddset(&wanted, signal.rawValue) }
    unsafe pthread_sigmask(SIG_BLOCK, &wanted, &before)
    maskBefore = SignalMask(set: before)
    descriptor = Descriptor(
      owning: try systemCall("signalfd") { unsafe cl_signal_descriptor(&wanted) }
    )
  }

  /// Waits for the next signal; blocks the calling thread without limit.
  package func next() throws(SystemError) -> Arrival {
    var number: CInt = 0
    var isFromKernel = false
    let source = descriptor.number
    _ = try systemCall("read") { unsafe cl_read_signal(source, &number, &isFromKernel) }
    return Arrival(signal: Signal(rawValue: number), isFromKernel: isFromKernel)
  }
}

/// A set of signals, kept by value.
struct SignalMask: Sendable {
  var set: sigset_t
}
