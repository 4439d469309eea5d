public import Foundation

// The same accesses for tasks: they suspend instead of blocking, and the accessor may itself await.
// A thread of ours waits meanwhile; the cooperative pool never does. If the task is cancelled while it
// waits, the accessor does not run and `CancellationError` is thrown; once it runs, it is up to the
// accessor to notice.
extension NSFileCoordinator {
  /// Reads one item and returns what `reader` returns.
  ///
  /// - Parameters:
  ///   - url: the item, a file URL; it need not exist.
  ///   - options: how it is read.
  ///   - timeout: how long to wait at most, presenters included; nil waits as long as it takes.
  ///   - reader: runs once, in the caller's isolation, with the URL to use.
  /// - Returns: what the accessor returned.
  /// - Throws: `CancellationError` if the task was cancelled while it waited; ``CoordinationError`` if
  ///   access was not granted; else whatever `reader` throws.
  nonisolated(nonsending) public func coordinate<T>(
    readingItemAt url: URL,
    options: ReadingOptions = [],
    timeout: Duration? = nil,
    _ reader: (URL) async throws -> T
  ) async throws -> T {
    let items = [AccessItem(url: url, access: .reading(options))]
    return try await SuspendingAccess.run(core, items, timeout) { try await reader($0[0]) }
  }

  /// Writes one item and returns what `writer` returns.
  ///
  /// - Parameters:
  ///   - url: the item, a file URL; it need not exist.
  ///   - options: what will be done to it.
  ///   - timeout: how long to wait at most, presenters included; nil waits as long as it takes.
  ///   - writer: runs once, in the caller's isolation, with the URL to use.
  /// - Returns: what the accessor returned.
  /// - Throws: `CancellationError` if the task was cancelled while it waited; ``CoordinationError`` if
  ///   access was not granted; else whatever `writer` throws.
  nonisolated(nonsending) public func coordinate<T>(
    writingItemAt url: URL,
    options: WritingOptions = [],
    timeout: Duration? = nil,
    _ writer: (URL) async throws -> T
  ) async throws -> T {
    let items = [AccessItem(url: url, access: .writing(options))]
    return try await SuspendingAccess.run(core, items, timeout) { try await writer($0[0]) }
  }

  /// Reads one item, writes another, and returns what `readerWriter` returns.
  ///
  /// - Throws: as the form for one item that is read.
  nonisolated(nonsending) public func coordinate<T>(
    readingItemAt readingURL: URL,
    options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL,
    options writingOptions: WritingOptions = [],
    timeout: Duration? = nil,
    _ readerWriter: (URL, URL) async throws -> T
  ) async throws -> T {
    let items = [
      AccessItem(url: readingURL, access: .reading(readingOptions)),
      AccessItem(url: writingURL, access: .writing(writingOptions)),
    ]
    return try await SuspendingAccess.run(core, items, timeout) {
      try await readerWriter($0[0], $0[1])
    }
  }

  /// Writes two items and returns what `writer` returns.
  ///
  /// - Throws: as the form for one item that is read.
  nonisolated(nonsending) public func coordinate<T>(
    writingItemAt url1: URL,
    options options1: WritingOptions = [],
    writingItemAt url2: URL,
    options options2: WritingOptions = [],
    timeout: Duration? = nil,
    _ writer: (URL, URL) async throws -> T
  ) async throws -> T {
    let items = [
      AccessItem(url: url1, access: .writing(options1)),
      AccessItem(url: url2, access: .writing(options2)),
    ]
    return try await SuspendingAccess.run(core, items, timeout) { try await writer($0[0], $0[1]) }
  }

  /// Reads and writes any number of items, claimed in one step, and returns what `accessor` returns.
  ///
  /// The URLs to use stand in the intents.
  /// - Throws: as the form for one item that is read.
  nonisolated(nonsending) public func coordinate<T>(
    with intents: [NSFileAccessIntent],
    timeout: Duration? = nil,
    _ accessor: () async throws -> T
  ) async throws -> T {
    let items = intents.map { AccessItem(url: $0.url, access: $0.access) }
    return try await SuspendingAccess.run(core, items, timeout) { urls in
      for (intent, url) in zip(intents, urls) { intent.update(url) }
      return try await accessor()
    }
  }
}
