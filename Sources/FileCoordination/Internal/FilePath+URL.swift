package import Foundation
package import LinuxSystem

extension FilePath {
  /// The path of a file URL, byte by byte from its percent-encoded string.
  ///
  /// `URL.path` would lose names that are not UTF-8. Nil for a URL that is not a file URL.
  package init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    self.init(ofFileURL: url.absoluteString)
  }

  /// A file URL of this path that gives back the same bytes.
  ///
  /// It ends in a slash if `isDirectory`.
  package func url(isDirectory: Bool = false) -> URL {
    if let string {
      return URL(filePath: string, directoryHint: isDirectory ? .isDirectory : .notDirectory)
    }
    let text = fileURLText(isDirectory: isDirectory)
    // Only unreserved characters and complete escapes were put in.
    return URL(string: text) ?? URL(filePath: description)
  }

  /// A file URL as Foundation would make it now: with a slash behind an existing directory.
  package var urlOnDisk: URL {
    let kind = try? FileStatus(of: self).kind  // a missing item is no directory
    return url(isDirectory: kind == .directory)
  }
}
