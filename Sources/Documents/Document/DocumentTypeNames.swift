import DocumentTypes
import Foundation
import LinuxSystem

/// The types of documents, by what `DocumentTypes` knows and what an application says.
enum DocumentTypeNames {
  /// What an application says; in a structure, as a function that is itself the value of a lock would be
  /// wrapped once more by every access.
  struct Resolver: Sendable {
    let type: @Sendable (URL) -> String?
  }
  static let resolver = Mutex<Resolver?>(nil)

  /// One for every item: made up from the extension where nothing better is known.
  static func type(of url: URL) -> String { UTType(of: url).identifier }

  /// The extension that names of a type have; nil for a type that nothing is known of.
  static func fileExtension(of type: String) -> String? {
    UTType(type)?.preferredFilenameExtension
  }

  /// Whether an extension says what the file is, so that people need not see it.
  static func isKnown(_ fileExtension: String) -> Bool {
    // Of packages as well, which are no data.
    UTType(tag: fileExtension, tagClass: .filenameExtension, conformingTo: nil)
      .map { !$0.isDynamic } ?? false
  }
}
