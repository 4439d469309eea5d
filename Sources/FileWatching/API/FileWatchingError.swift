public import Foundation

/// Why watching could not begin.
public struct FileWatchingError: Error, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller may want to tell apart.
  public enum Code: Sendable {
    /// The URL does not name a file.
    case notAFileURL
    /// The system refuses a thread or a descriptor.
    case noResources
  }

  /// What kind of failure this is.
  public let code: Code
  /// The item that was to be watched.
  public let url: URL
  /// What was tried, why it failed and what can be done about it.
  public let message: String
  /// The same as ``message``.
  public var description: String { message }

  static func notAFile(_ url: URL) -> FileWatchingError {
    FileWatchingError(
      code: .notAFileURL,
      url: url,
      message: "\(url) cannot be watched: it is not a file URL"
    )
  }

  static func noResources(_ url: URL, _ reason: String) -> FileWatchingError {
    FileWatchingError(
      code: .noResources,
      url: url,
      message: "\(url) cannot be watched: \(reason); end other programs or raise the limits"
    )
  }
}
