import BenchmarkHarness
import FileCoordination
import Foundation
import LinuxSystem

/// One thread's coordinated access to one item: a coordinator of its own, used again and again.
struct Access {
  private let coordinator = NSFileCoordinator()
  private let url: URL

  init(_ path: String) { url = URL(filePath: path, directoryHint: .notDirectory) }

  /// Runs `body` inside a coordinated access, on this thread.
  func run(writing: Bool, _ body: () -> Void) throws {
    var failure: NSError?
    if writing {
      coordinator.coordinate(writingItemAt: url, error: &failure) { _ in body() }
    } else {
      coordinator.coordinate(readingItemAt: url, error: &failure) { _ in body() }
    }
    if let failure { throw failure }
  }

  /// Runs an empty body inside a write that deletes.
  func runDeleting() throws {
    var failure: NSError?
    coordinator.coordinate(writingItemAt: url, options: .forDeleting, error: &failure) { _ in }
    if let failure { throw failure }
  }

  /// Nanoseconds for one access with an empty body; a tenth more is done first, to be warm.
  func pairs(writing: Bool, _ count: Int) throws -> Double {
    for _ in 0..<count / 10 + 1 { try run(writing: writing) {} }
    let start = MonotonicInstant.now.nanoseconds
    for _ in 0..<count { try run(writing: writing) {} }
    return Double(MonotonicInstant.now.nanoseconds - start) / Double(count)
  }
}
