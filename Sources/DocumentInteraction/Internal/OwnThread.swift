import LinuxSystem

/// Runs what blocks on a thread of ours.
package enum OwnThread {
  private static let pool = ThreadPool(name: "fc-interaction")

  /// Suspends until `body` has run.
  package static func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R
  {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try pool.run { continuation.resume(with: Result { try body() }) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
