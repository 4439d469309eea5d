package import Foundation
package import LinuxSystem

extension FilePath {
  /// The path of a file URL, byte by byte from its percent-encoded string.
  ///
  /// `URL.path` would lose names that are not UTF-8. Nil for a URL that is not a file URL.
  package init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    let text = url.absoluteString
    var rest = text.utf8.dropFirst("file:".utf8.count)
    if rest.starts(with: "//".utf8) {
      // file://host/path: what the host says does not matter, the path starts at the next slash.
      rest = rest.dropFirst(2).drop { $0 != .slash }
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rest.count)
    var iterator = rest.makeIterator()
    while let byte = iterator.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = iterator.next().flatMap(Self.hexValue),
          let low = iterator.next().flatMap(Self.hexValue)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "?"), UInt8(ascii: "#"):
        self.init(bytes: bytes)
        return
      default: bytes.append(byte)
      }
    }
    guard !bytes.isEmpty else { return nil }
    self.init(bytes: bytes)
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

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
