import Foundation
import LinuxSystem

/// Why an `x-document-source` was not read or written.
public struct DocumentSourceError: Error, Sendable, CustomStringConvertible {
  /// Kinds of failures.
  public enum Kind: Hashable, Sendable {
    case notAFile
    /// The value is no property list with a dictionary.
    case notADictionary
    case unreadable
    /// The file system has no room for a value of this length.
    case tooLarge
    /// The file system has no such attributes.
    case notSupported
    case notWritten
  }
  /// What failed.
  public let kind: Kind
  /// A sentence that names the file.
  public let description: String
  /// The number of the error of the system call that failed; 0: none did.
  public let systemErrorNumber: Int32

  init(_ kind: Kind, _ description: String, _ cause: SystemError? = nil) {
    self.kind = kind
    self.description = description
    systemErrorNumber = cause?.code.rawValue ?? 0
  }

  static func notAFile(_ url: URL) -> Self {
    Self(.notAFile, "\(url) is not the URL of a file: only files carry an x-document-source")
  }
  static var notADictionary: Self {
    Self(.notADictionary, "the value is no property list with a dictionary")
  }
  static func unreadable(_ url: URL, _ cause: SystemError) -> Self {
    Self(.unreadable, "the x-document-source of \(url.path) cannot be read: \(cause.reason)", cause)
  }
  static func tooLarge(_ url: URL, bytes: Int, _ cause: SystemError?) -> Self {
    Self(
      .tooLarge,
      "the x-document-source for \(url.path) has \(bytes) bytes, for which its file system has no "
        + "room (ext4 takes about 4,000 with 4 KiB blocks and 950 with 1 KiB, xfs and tmpfs 65,536): "
        + "shorten the document's path or the URL",
      cause
    )
  }
  static func notSupported(_ url: URL, _ cause: SystemError) -> Self {
    Self(
      .notSupported,
      "\(url.path) cannot carry an x-document-source: its file system has no user attributes",
      cause
    )
  }
  static func notWritten(_ url: URL, _ cause: SystemError) -> Self {
    Self(
      .notWritten,
      "the x-document-source of \(url.path) was not changed: \(cause.reason)",
      cause
    )
  }
}
