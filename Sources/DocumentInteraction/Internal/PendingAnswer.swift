import Dispatch
import LinuxSystem

/// The answer of somebody who may take long; for threads that may block.
package final class PendingAnswer<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ body: @escaping @Sendable () async throws -> Value) {
    let task = Task.detached {
      do {
        let value = try await body()
        self.result.withLock { $0 = .success(value) }
      } catch {
        self.result.withLock { $0 = .failure(error) }
      }
      self.done.signal()
    }
    self.task.withLock { $0 = task }
  }

  /// Blocks until the answer is there, for so long at most; says whether it is.
  func wait(atMost limit: DispatchTimeInterval) -> Bool {
    guard done.wait(timeout: .now() + limit) == .success else { return false }
    // For whoever asks again.
    done.signal()
    return true
  }

  /// Has whoever answers stop; what comes then is an answer as well.
  package func cancel() { task.withLock { $0?.cancel() } }

  /// Blocks until the answer is there.
  package func get() throws -> Value {
    done.wait()
    done.signal()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
