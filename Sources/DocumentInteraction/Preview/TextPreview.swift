import Foundation
import LinuxSystem

/// The beginning of a text file, whatever its encoding.
struct TextPreview {
  let text: String
  /// The name of the encoding.
  let encoding: String
  /// Whether this is all of it.
  let isWhole: Bool

  private static let limit = 256 * 1024

  /// Reads the beginning of a file; nil: it is no text.
  init?(_ path: FilePath) throws(SystemError) {
    // A pipe that took the file's place must not keep us.
    let file = try Descriptor.open(path, [.readOnly, .nonBlocking])
    guard try FileStatus(of: file).kind == .regular else { return nil }
    let bytes = try file.read(Self.limit + 1, at: 0)
    self.init(bytes)
  }

  /// By the mark at its beginning; else as UTF-8 if it is that; else as UTF-16 if every other byte tends
  /// to be zero; else as Windows-1252, in which all bytes mean something.
  init?(_ bytes: [UInt8]) {
    isWhole = bytes.count <= Self.limit
    let bytes = Array(bytes.prefix(Self.limit))
    let marks: [([UInt8], String.Encoding, String)] = [
      ([0xef, 0xbb, 0xbf], .utf8, "UTF-8"),
      ([0xff, 0xfe, 0, 0], .utf32LittleEndian, "UTF-32"),
      ([0, 0, 0xfe, 0xff], .utf32BigEndian, "UTF-32"),
      ([0xff, 0xfe], .utf16LittleEndian, "UTF-16"),
      ([0xfe, 0xff], .utf16BigEndian, "UTF-16"),
    ]
    for (mark, kind, name) in marks where bytes.starts(with: mark) {
      let rest = bytes.dropFirst(mark.count)
      let unit = name == "UTF-8" ? 1 : name == "UTF-16" ? 2 : 4
      guard let text = Self.decode(Array(rest.prefix(rest.count / unit * unit)), kind) else {
        continue
      }
      (self.text, encoding) = (text, name)
      return
    }
    if !bytes.contains(0), let text = Self.utf8(bytes, isWhole: isWhole) {
      (self.text, encoding) = (text, text.utf8.allSatisfy { $0 < 128 } ? "ASCII" : "UTF-8")
      return
    }
    if let kind = Self.utf16(bytes),
      let text = Self.decode(Array(bytes.prefix(bytes.count & ~1)), kind)
    {
      (self.text, encoding) = (text, "UTF-16")
      return
    }
    let controls = bytes.count { $0 < 32 && !(8...13).contains($0) && $0 != 27 }
    guard controls == 0, let text = Self.decode(bytes, .windowsCP1252) ?? Self.latin1(bytes) else {
      return nil
    }
    (self.text, encoding) = (text, "Windows-1252")
  }

  /// UTF-8; where the text was cut, the last character may be cut as well.
  private static func utf8(_ bytes: [UInt8], isWhole: Bool) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard !isWhole else { return nil }
    for cut in 1...3 where bytes.count > cut {
      if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
    }
    return nil
  }

  private static func utf16(_ bytes: [UInt8]) -> String.Encoding? {
    let sample = bytes.prefix(4096)
    guard sample.count >= 4 else { return nil }
    var zeros = [0, 0]
    for (index, byte) in sample.enumerated() where byte == 0 { zeros[index & 1] += 1 }
    let half = sample.count / 2
    if zeros[1] * 2 > half, zeros[0] * 10 < half { return .utf16LittleEndian }
    if zeros[0] * 2 > half, zeros[1] * 10 < half { return .utf16BigEndian }
    return nil
  }

  private static func decode(_ bytes: [UInt8], _ encoding: String.Encoding) -> String? {
    String(bytes: bytes, encoding: encoding)
  }

  private static func latin1(_ bytes: [UInt8]) -> String? {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
