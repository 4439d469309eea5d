import LinuxSystem
package import Testing

/// Lets only so many suites run at once: each starts processes, and the machine may be small.
///
/// A suite waits before its first test begins, so that the wait does not count against the tests'
/// time limits. Put ``Testing/Trait/serialized`` beside it.
package struct InTurn: SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test,
    testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    await Turns.shared.take()
    defer { Turns.shared.give() }
    try await function()
  }
}

extension Trait where Self == InTurn {
  /// The suite takes its turn among those that start processes.
  package static var inTurn: InTurn { InTurn() }
}

private final class Turns: Sendable {
  static let shared = Turns(width: 3)
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let state: Mutex<State>

  init(width: Int) { state = Mutex(State(free: width)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let now = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if now { continuation.resume() }
    }
  }

  func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
