public import Foundation

/// Why a coordinated access did not happen.
///
/// The calls of Apple's shape report the same failure as an `NSError` in `NSCocoaErrorDomain` with
/// this error as its underlying one; see ``cocoaCode``.
public struct CoordinationError: Error, Sendable {
  /// The kinds of failure that a caller may want to tell apart.
  @nonexhaustive public enum Code: Sendable, Hashable {
    /// `cancel()` was called, or the task was cancelled.
    case cancelled
    /// The time limit passed before access was granted.
    case timedOut
    /// Waiting would never have ended: the message names the cycle.
    case wouldDeadlock
    /// The URL is not a file URL, or its path cannot be followed.
    case itemUnreachable
    /// A presenter did not answer within its limit; the message names it.
    case presenterSilent
    /// A presenter answered with an error, which is the cause.
    case presenterRefused
    /// The coordination directory cannot be used.
    case coordinationUnavailable
    /// No descriptors, threads or memory are left.
    case outOfResources
    /// The provider of the item answered with an error, which is the cause.
    case providerFailed
    /// The provider of the item could not be started, ended, or did not answer.
    case providerUnavailable
    /// The snapshot for uploading could not be made.
    case snapshotFailed
  }

  /// What kind of failure this is.
  public let code: Code
  /// The item that the access was for.
  public let url: URL
  /// Whether the access was going to write.
  public let isWriting: Bool
  /// What happened and what to do about it, in one or two sentences.
  public let message: String
  /// The failure underneath, when there was one.
  public let cause: (any Error)?

  init(
    _ code: Code,
    _ url: URL,
    isWriting: Bool,
    _ message: String,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.url = url
    self.isWriting = isWriting
    self.message = message
    self.cause = cause
  }
}

extension CoordinationError: LocalizedError, CustomStringConvertible {
  /// The message.
  public var errorDescription: String? { message }
  /// The message.
  public var description: String { message }
}
