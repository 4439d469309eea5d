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
    var text = "file://"
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), .slash, UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let hex = String(byte, radix: 16, uppercase: true)
        text += hex.count == 1 ? "%0\(hex)" : "%\(hex)"
      }
    }
    if isDirectory, text.last != "/" { text += "/" }
    // Only unreserved characters and complete escapes were put in.
    return URL(string: text) ?? URL(filePath: description)
  }

  /// A file URL as Foundation would make it now: with a slash behind an existing directory.
  package var urlOnDisk: URL {
    let kind = try? FileStatus(of: self).kind  // a missing item is no directory
    return url(isDirectory: kind == .directory)
  }
}
