import Glibc

extension FilePath {
  /// The path that the text of a file URL stands for, byte by byte, with its escapes undone.
  ///
  /// Scheme, host, query and fragment do not matter. Nil for an escape that is none and for a URL
  /// without a path.
  package init?(ofFileURL text: String) {
    var text = text
    let path = text.withUTF8 { unsafe Self.path(ofFileURL: $0) }
    guard let path else { return nil }
    self = path
  }

  /// The text of a file URL that gives back the same bytes, whatever they are.
  ///
  /// It ends in a slash if `isDirectory`.
  package func fileURLText(isDirectory: Bool) -> String {
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
    return text
  }

  private static func path(ofFileURL text: UnsafeBufferPointer<UInt8>) -> FilePath? {
    guard let colon = unsafe text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    var start = colon + 1
    if unsafe text.dropFirst(start).starts(with: [.slash, .slash]) {
      start += 2
      while start < text.count, unsafe text[start] != .slash { start += 1 }
    }
    guard let base = text.baseAddress else { return nil }
    var end = text.count
    // What ends a path is rarely there: whole blocks are looked through at a time.
    for mark in [UInt8(ascii: "?"), UInt8(ascii: "#")] {
      if let found = unsafe memchr(base + start, CInt(mark), end - start) {
        end = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
      }
    }
    let hasEscapes = unsafe memchr(base + start, CInt(UInt8(ascii: "%")), end - start) != nil
    guard start < end else { return nil }
    let bytes = unsafe UnsafeBufferPointer(rebasing: text[start..<end])
    return hasEscapes ? unsafe unescaped(bytes) : unsafe FilePath(block: bytes)
  }

  private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> FilePath? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let byte = unsafe text[index]
      index += 1
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard index + 1 < text.count, let high = unsafe hexValue(text[index]),
        let low = unsafe hexValue(text[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
      index += 2
    }
    return FilePath(bytes: bytes)
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
