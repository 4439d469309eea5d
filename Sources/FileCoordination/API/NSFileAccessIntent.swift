import LinuxSystem
public import Foundation

/// One item of a call that reads or writes several at once, and where that item is by now.
///
/// Sendable: ``url`` may be read from any thread at any time.
///
/// Apple symbol: NSFileAccessIntent.
public final class NSFileAccessIntent: NSObject, Sendable {
  enum Access: Sendable, Equatable {
    case reading(NSFileCoordinator.ReadingOptions)
    case writing(NSFileCoordinator.WritingOptions)
  }

  let access: Access
  private let current: Mutex<URL>

  private init(_ access: Access, _ url: URL) {
    self.access = access
    current = Mutex(url)
  }

  /// The item's URL: inside the accessor the one to use, else the one that was given.
  ///
  /// Changes when the item was moved while the call waited, when a link was resolved, and for
  /// `forUploading`. The move is not followed for `forReplacing`.
  public var url: URL { current.withLock { $0 } }

  func update(_ url: URL) { current.withLock { $0 = url } }

  /// An intent to read an item.
  ///
  /// - Parameters:
  ///   - url: The item, a file URL; it need not exist.
  ///   - options: As in ``NSFileCoordinator/coordinate(readingItemAt:options:error:byAccessor:)``.
  /// - Returns: the intent, for one call.
  public class func readingIntent(
    with url: URL,
    options: NSFileCoordinator.ReadingOptions = []
  ) -> NSFileAccessIntent {
    NSFileAccessIntent(.reading(options), url)
  }

  /// An intent to write an item.
  ///
  /// - Parameters:
  ///   - url: The item, a file URL; it need not exist.
  ///   - options: As in ``NSFileCoordinator/coordinate(writingItemAt:options:error:byAccessor:)``.
  /// - Returns: the intent, for one call.
  public class func writingIntent(
    with url: URL,
    options: NSFileCoordinator.WritingOptions = []
  ) -> NSFileAccessIntent {
    NSFileAccessIntent(.writing(options), url)
  }
}
