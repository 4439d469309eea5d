import LinuxSystem

/// What blocks, on threads of ours: neither the main thread nor the cooperative pool waits for files.
enum BlockingWork {
  private static let threads = ThreadPool(name: "fc-picker")

  /// Runs `body` on such a thread, and resumes with what it returns or throws.
  static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      do throws(SystemError) {
        try threads.run { continuation.resume(with: Result { try body() }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
