import Foundation
import LinuxSystem

/// Whole accesses on the calling thread.
enum BlockingAccess {
  /// One access whose accessor throws nothing.
  static func run(
    _ core: CoordinatorCore,
    _ items: [AccessItem],
    deadline: MonotonicInstant? = nil,
    _ accessor: ([URL]) -> Void
  ) throws(CoordinationError) {
    let access = CoordinatedAccess(core, items, deadline: deadline)
    try access.begin()
    guard items.contains(where: { $0.readingOptions.contains(.forUploading) }) else {
      access.run(accessor)
      return access.finish()
    }
    let snapshots = UploadSnapshots()
    defer { snapshots.remove() }
    let urls = try snapshots.take(from: access)
    // Only reads: the claim is dropped before the accessor. With a write beside it, it must stay.
    guard items.contains(where: \.isWriting) else {
      access.finish()
      return accessor(urls)
    }
    access.run { _ in accessor(urls) }
    access.finish()
  }

  /// One access that returns what its accessor returns and throws what it throws.
  static func returning<T>(
    _ core: CoordinatorCore,
    _ items: [AccessItem],
    _ timeout: Duration?,
    _ accessor: ([URL]) throws -> T
  ) throws -> T {
    let deadline = timeout.map { MonotonicInstant.now + $0 }
    var outcome: Result<T, any Error>?
    try run(core, items, deadline: deadline) { urls in
      outcome = Result { try accessor(urls) }
    }
    guard let outcome else { preconditionFailure("an access that does not throw ran its accessor") }
    return try outcome.get()
  }
}
