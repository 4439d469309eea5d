import Foundation
import LinuxSystem

/// Whole accesses of a task: a thread of ours waits, the task is suspended.
enum SuspendingAccess {
  static let threads = ThreadPool(name: "fc-access")

  nonisolated(nonsending) static func run<T>(
    _ core: CoordinatorCore,
    _ items: [AccessItem],
    _ timeout: Duration?,
    _ accessor: ([URL]) async throws -> T
  ) async throws -> T {
    let deadline = timeout.map { MonotonicInstant.now + $0 }
    let access = CoordinatedAccess(core, items, deadline: deadline)
    let snapshots = UploadSnapshots()
    let needsSnapshot = items.contains { $0.readingOptions.contains(.forUploading) }
    let isOnlyReading = !items.contains(where: \.isWriting)
    try await withTaskCancellationHandler {
      try await onThread(items) { () throws(CoordinationError) in
        try access.begin()
        if needsSnapshot {
          _ = try snapshots.take(from: access)
          if isOnlyReading { access.finish() }
        }
      }
    } onCancel: {
      access.waiter.cancel()
    }
    let result: Result<T, any Error>
    access.enterAccessor()
    do {
      result = .success(try await accessor(needsSnapshot ? snapshots.urls : access.urls))
    } catch {
      result = .failure(error)
    }
    access.leaveAccessor()
    if !(needsSnapshot && isOnlyReading) {
      try await onThread(items) { () throws(CoordinationError) in access.finish() }
    }
    snapshots.remove()
    return try result.get()
  }

  /// Runs what blocks on a thread of ours and resumes the task when it is done.
  nonisolated(nonsending) private static func onThread(
    _ items: [AccessItem],
    _ body: @escaping @Sendable () throws(CoordinationError) -> Void
  ) async throws {
    let failure: CoordinationError? = await withCheckedContinuation { continuation in
      do throws(SystemError) {
        try threads.run {
          do throws(CoordinationError) {
            try body()
            continuation.resume(returning: nil)
          } catch {
            continuation.resume(returning: error)
          }
        }
      } catch {
        continuation.resume(
          returning: CoordinationError(
            .outOfResources,
            items,
            "No thread could be started to wait: \(error).",
            cause: error
          )
        )
      }
    }
    guard let failure else { return }
    if failure.code == .cancelled, Task.isCancelled { throw CancellationError() }
    throw failure
  }
}
