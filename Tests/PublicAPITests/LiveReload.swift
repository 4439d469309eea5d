import FileWatching
import Foundation

// The example of the documentation. That this compiles is the test; `FileWatchingTests` runs one.

func reload(
  _ directory: URL,
  isSource: (URL) -> Bool,
  rebuild: (Set<URL>) async throws -> Void
) async throws {
  // From here on nothing is missed: watch first, build then.
  let changes = try await FileChanges(of: directory)
  try await rebuild([])
  for await change in changes {
    switch change {
    case .appeared(let url), .changed(let url), .deleted(let url):
      if isSource(url) { try await rebuild([url]) }
    case .moved(let old, let new):
      if isSource(old) || isSource(new) { try await rebuild([old, new]) }
    case .overlooked:
      // Too much at once to be told singly: everything may be different.
      try await rebuild([])
    case .degraded(let reason):
      print("changes are noticed late: \(reason)")
    case .recovered:
      print("changes are noticed at once again")
    }
  }
}

/// A watcher that calls, as clients keep one.
final class Preview: Sendable {
  private let watcher: FileWatcher

  init(_ url: URL, show: @escaping @Sendable (URL) -> Void) throws {
    watcher = try FileWatcher(url, scope: .item) { change in
      if case .changed(let url) = change { show(url) }
    }
  }

  func close() { watcher.stop() }
  var isExact: Bool { FileWatcher.polledTrees.isEmpty }
}
