import Foundation
import Fuse

extension ItemPath {
  /// The URL of the item in a folder; every byte of a name may be in it.
  func url(in folder: [UInt8]) -> URL {
    var text = "file://"
    for byte in folder + (isRoot ? [] : [UInt8(ascii: "/")]) + bytes {
      if Self.plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    // What is encoded like this is always a URL.
    return URL(string: text) ?? URL(filePath: String(decoding: folder + bytes, as: UTF8.self))
  }

  private static let plain = Set("/-._~".utf8).union(Set(0x30...0x39))
    .union(Set(0x41...0x5a)).union(Set(0x61...0x7a))
}
