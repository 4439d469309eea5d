public import Foundation
import LinuxSystem

// The same accesses in Swift's own style: they return what the accessor returns and throw what it
// throws. They block the calling thread; in a task use the async forms of the same names.
extension NSFileCoordinator {
  /// Reads one item and returns what `reader` returns.
  ///
  /// - Parameters:
  ///   - url: the item, a file URL; it need not exist.
  ///   - options: how it is read.
  ///   - timeout: how long to wait at most, presenters included; nil waits as long as it takes.
  ///   - reader: runs once, on the calling thread, with the URL to use.
  /// - Returns: what the accessor returned.
  /// - Throws: ``CoordinationError`` if access was not granted; else whatever `reader` throws.
  public func coordinate<T>(
    readingItemAt url: URL,
    options: ReadingOptions = [],
    timeout: Duration? = nil,
    _ reader: (URL) throws -> T
  ) throws -> T {
    try BlockingAccess.returning(
      core,
      [AccessItem(url: url, access: .reading(options))],
      timeout
    ) { try reader($0[0]) }
  }

  /// Writes one item and returns what `writer` returns.
  ///
  /// - Parameters:
  ///   - url: the item, a file URL; it need not exist.
  ///   - options: what will be done to it.
  ///   - timeout: how long to wait at most, presenters included; nil waits as long as it takes.
  ///   - writer: runs once, on the calling thread, with the URL to use.
  /// - Returns: what the accessor returned.
  /// - Throws: ``CoordinationError`` if access was not granted; else whatever `writer` throws.
  public func coordinate<T>(
    writingItemAt url: URL,
    options: WritingOptions = [],
    timeout: Duration? = nil,
    _ writer: (URL) throws -> T
  ) throws -> T {
    try BlockingAccess.returning(
      core,
      [AccessItem(url: url, access: .writing(options))],
      timeout
    ) { try writer($0[0]) }
  }

  /// Reads one item, writes another, and returns what `readerWriter` returns.
  ///
  /// - Throws: ``CoordinationError`` if access was not granted; else whatever `readerWriter` throws.
  public func coordinate<T>(
    readingItemAt readingURL: URL,
    options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL,
    options writingOptions: WritingOptions = [],
    timeout: Duration? = nil,
    _ readerWriter: (URL, URL) throws -> T
  ) throws -> T {
    let items = [
      AccessItem(url: readingURL, access: .reading(readingOptions)),
      AccessItem(url: writingURL, access: .writing(writingOptions)),
    ]
    return try BlockingAccess.returning(core, items, timeout) { try readerWriter($0[0], $0[1]) }
  }

  /// Writes two items and returns what `writer` returns.
  ///
  /// - Throws: ``CoordinationError`` if access was not granted; else whatever `writer` throws.
  public func coordinate<T>(
    writingItemAt url1: URL,
    options options1: WritingOptions = [],
    writingItemAt url2: URL,
    options options2: WritingOptions = [],
    timeout: Duration? = nil,
    _ writer: (URL, URL) throws -> T
  ) throws -> T {
    let items = [
      AccessItem(url: url1, access: .writing(options1)),
      AccessItem(url: url2, access: .writing(options2)),
    ]
    return try BlockingAccess.returning(core, items, timeout) { try writer($0[0], $0[1]) }
  }
}
