import Foundation
import LinuxSystem

/// Runs the main thread's loop until work of the main actor is done: for programs without one.
package enum MainLoop {
  /// Runs `body` on the main actor and returns what it returns; only on the main thread.
  ///
  /// Whatever belongs on the main queue runs meanwhile.
  @MainActor package static func run<R: Sendable>(
    _ body: @escaping @MainActor () async throws -> R
  ) throws -> R {
    let box = Box<R>()
    Task { @MainActor in
      do { box.set(.success(try await body())) } catch { box.set(.failure(error)) }
      CFRunLoopStopper.wake()
    }
    while true {
      if let result = box.value { return try result.get() }
      _ = RunLoop.main.run(mode: .default, before: .now + 3600)
    }
  }

  private final class Box<R: Sendable>: Sendable {
    private let state = Mutex<Result<R, any Error>?>(nil)
    var value: Result<R, any Error>? { state.withLock { $0 } }
    func set(_ value: Result<R, any Error>) { state.withLock { $0 = value } }
  }

  /// Ends the run loop's wait.
  private enum CFRunLoopStopper {
    static func wake() { RunLoop.main.perform {} }
  }
}
