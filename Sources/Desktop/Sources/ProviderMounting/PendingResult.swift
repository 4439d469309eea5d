import Dispatch
import Fuse
import Synchronization

/// What a thread will have, for the one that waits for it.
final class PendingResult<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, SystemErrno>?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  /// The first one counts.
  func set(_ new: Result<Value, SystemErrno>) {
    let isFirst = result.withLock { result in
      defer { if result == nil { result = new } }
      return result == nil
    }
    if isFirst { arrival.signal() }
  }

  /// Waits, on a thread that serves a call of the kernel's.
  ///
  /// - Parameter interrupt: called again and again once the program got a signal: whoever works on the
  ///   result has to end. Until it does, nothing can end the program.
  /// - Returns: the result.
  /// - Throws: the error that was set.
  func wait(interrupt: () -> Void) throws(SystemErrno) -> Value {
    while arrival.wait(timeout: .now() + Interruption.pause) == .timedOut {
      if FuseRequest.isInterrupted { interrupt() }
    }
    return try result.withLock { $0 ?? .failure(.inputOutput) }.get()
  }
}

/// How calls of the kernel's that wait notice that nobody wants them any more.
enum Interruption {
  /// Between two looks.
  static let pause = DispatchTimeInterval.milliseconds(100)
}
