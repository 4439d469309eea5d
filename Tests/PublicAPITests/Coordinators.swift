import FileCoordination
import Foundation

/// A subclass that overrides what can be overridden.
final class CountingCoordinator: NSFileCoordinator {
  var calls = 0

  override func coordinate(
    readingItemAt url: URL,
    options: NSFileCoordinator.ReadingOptions = [],
    error outError: NSErrorPointer,
    byAccessor reader: (URL) -> Void
  ) {
    calls += 1
    super.coordinate(readingItemAt: url, options: options, error: outError, byAccessor: reader)
  }

  override func coordinate(
    writingItemAt url: URL,
    options: NSFileCoordinator.WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor writer: (URL) -> Void
  ) {
    calls += 1
    super.coordinate(writingItemAt: url, options: options, error: outError, byAccessor: writer)
  }

  override func coordinate(
    readingItemAt readingURL: URL,
    options readingOptions: NSFileCoordinator.ReadingOptions = [],
    writingItemAt writingURL: URL,
    options writingOptions: NSFileCoordinator.WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor readerWriter: (URL, URL) -> Void
  ) {
    calls += 1
    super.coordinate(
      readingItemAt: readingURL,
      options: readingOptions,
      writingItemAt: writingURL,
      options: writingOptions,
      error: outError,
      byAccessor: readerWriter
    )
  }

  override func coordinate(
    writingItemAt url1: URL,
    options options1: NSFileCoordinator.WritingOptions = [],
    writingItemAt url2: URL,
    options options2: NSFileCoordinator.WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor writer: (URL, URL) -> Void
  ) {
    calls += 1
    super.coordinate(
      writingItemAt: url1,
      options: options1,
      writingItemAt: url2,
      options: options2,
      error: outError,
      byAccessor: writer
    )
  }

  override func coordinate(
    with intents: [NSFileAccessIntent],
    queue: OperationQueue,
    byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
  ) {
    calls += 1
    super.coordinate(with: intents, queue: queue, byAccessor: accessor)
  }

  override func prepare(
    forReadingItemsAt readingURLs: [URL],
    options readingOptions: NSFileCoordinator.ReadingOptions = [],
    writingItemsAt writingURLs: [URL],
    options writingOptions: NSFileCoordinator.WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor batchAccessor: (@escaping @Sendable () -> Void) -> Void
  ) {
    calls += 1
    super.prepare(
      forReadingItemsAt: readingURLs,
      options: readingOptions,
      writingItemsAt: writingURLs,
      options: writingOptions,
      error: outError,
      byAccessor: batchAccessor
    )
  }

  override func item(at oldURL: URL, didMoveTo newURL: URL) {
    super.item(at: oldURL, didMoveTo: newURL)
  }
  override func cancel() { super.cancel() }
}

/// The synchronous forms inside an actor, with the actor's own state in the accessor.
actor Store {
  private var text = ""

  func load(_ url: URL) throws -> String {
    let coordinator = NSFileCoordinator()
    var error: NSError?
    coordinator.coordinate(readingItemAt: url, options: [], error: &error) { url in
      text = (try? String(contentsOf: url, encoding: .utf8)) ?? "unreadable"
    }
    if let error { throw error }
    return text
  }

  func save(_ url: URL) throws {
    try NSFileCoordinator().coordinate(writingItemAt: url) { url in
      try text.write(to: url, atomically: false, encoding: .utf8)
    }
  }

  func loadAwaiting(_ url: URL) async throws -> String {
    text = try await NSFileCoordinator().coordinate(readingItemAt: url) { url in
      await Task.yield()
      return try String(contentsOf: url, encoding: .utf8)
    }
    return text
  }
}
