public import Foundation

/// Why something that a user chose did not happen.
public struct DocumentInteractionError: LocalizedError, Sendable {
  /// The kinds of failure that a program may want to tell apart.
  @nonexhaustive public enum Code: Sendable {
    /// The program could not be started, or its entry must not be run.
    case notOpened
    /// There is no such program.
    case noProgram
    /// The file cannot be shown.
    case notPreviewed
    /// The annotation is no property list, or too big.
    case badAnnotation
    /// The action failed.
    case actionFailed
    /// Access to the file was not granted.
    case noAccess
  }
  /// What kind of failure it is.
  public let code: Code
  /// What it is about.
  public let url: URL?
  /// What happened and what to do about it.
  public let message: String

  /// The failure underneath, when there was one.
  public let cause: (any Error)?

  /// A failure.
  public init(_ code: Code, _ url: URL?, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.url = url
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var errorDescription: String? { message }
}
