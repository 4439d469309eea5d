import FileCoordination
import Foundation

// What many packages have had since before there was anything of the kind: throwing forms under Apple's
// name. That calls of them go on compiling, and reach them, is the test.
extension NSFileCoordinator {
  func coordinate<T>(
    readingItemAt url: URL,
    options: NSFileCoordinator.ReadingOptions = [],
    byAccessor reader: (URL) throws -> T
  ) throws -> T {
    var coordinationError: NSError?
    var result: Result<T, Error>?
    coordinate(readingItemAt: url, options: options, error: &coordinationError) { url in
      result = Result { try reader(url) }
    }
    if let coordinationError { throw coordinationError }
    Wrapped.calls += 1
    return try (result ?? .failure(CocoaError(.fileReadUnknown))).get()
  }

  func coordinate<T>(
    writingItemAt url: URL,
    options: NSFileCoordinator.WritingOptions = [],
    byAccessor writer: (URL) throws -> T
  ) throws -> T {
    var coordinationError: NSError?
    var result: Result<T, Error>?
    coordinate(writingItemAt: url, options: options, error: &coordinationError) { url in
      result = Result { try writer(url) }
    }
    if let coordinationError { throw coordinationError }
    Wrapped.calls += 1
    return try (result ?? .failure(CocoaError(.fileReadUnknown))).get()
  }

  func coordinate<T>(
    readingItemAt readingURL: URL,
    options readingOptions: NSFileCoordinator.ReadingOptions = [],
    writingItemAt writingURL: URL,
    options writingOptions: NSFileCoordinator.WritingOptions = [],
    byAccessor accessor: (URL, URL) throws -> T
  ) throws -> T {
    var coordinationError: NSError?
    var result: Result<T, Error>?
    coordinate(
      readingItemAt: readingURL,
      options: readingOptions,
      writingItemAt: writingURL,
      options: writingOptions,
      error: &coordinationError
    ) { source, target in
      result = Result { try accessor(source, target) }
    }
    if let coordinationError { throw coordinationError }
    Wrapped.calls += 1
    return try (result ?? .failure(CocoaError(.fileReadUnknown))).get()
  }
}

enum Wrapped {
  nonisolated(unsafe) static var calls = 0

  /// Trailing closures, as they are called.
  static func use(_ file: URL) throws -> String {
    let coordinator = NSFileCoordinator(filePresenter: nil)
    try coordinator.coordinate(writingItemAt: file) {
      try "1".write(to: $0, atomically: true, encoding: .utf8)
    }
    try coordinator.coordinate(writingItemAt: file, options: .forReplacing) { url in
      try "2".write(to: url, atomically: true, encoding: .utf8)
    }
    let size = try coordinator.coordinate(readingItemAt: file, writingItemAt: file) { source, _ in
      try Data(contentsOf: source).count
    }
    return try coordinator.coordinate(readingItemAt: file, options: .withoutChanges) {
      try String(contentsOf: $0, encoding: .utf8) + "\(size)"
    }
  }
}

/// A spy in the spelling that the compiler's completion gives on Apple's systems.
final class SpyCoordinator: NSFileCoordinator {
  private(set) var writes: [NSFileCoordinator.WritingOptions] = []

  override func coordinate(
    writingItemAt url: URL,
    options: NSFileCoordinator.WritingOptions = [],
    error outError: AutoreleasingUnsafeMutablePointer<NSError?>?,
    byAccessor writer: (URL) -> Void
  ) {
    writes.append(options)
    outError?.pointee = NSError(domain: NSCocoaErrorDomain, code: NSUserCancelledError)
  }
}
