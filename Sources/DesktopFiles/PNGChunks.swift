/// A PNG file as the chunks that it consists of: to read its texts, and to give it others.
///
/// Pictures are not decoded here.
/// - SeeAlso: https://www.w3.org/TR/png
struct PNGChunks {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// Whether among the texts before the picture there are these, byte for byte.
  ///
  /// Nil: the bytes end before that is known.
  static func hasTexts(_ wanted: [(key: [UInt8], value: [UInt8])], in bytes: [UInt8]) -> Bool? {
    guard bytes.starts(with: signature) else { return bytes.count < 8 ? nil : false }
    var found = 0
    var at = 8
    while at + 8 <= bytes.count {
      let length = number(bytes, at)
      let start = at + 8
      let kind = number(bytes, at + 4)
      if kind == name("IDAT") || kind == name("IEND") || length > 1 << 24 { return false }
      guard start + length <= bytes.count else { return nil }
      if kind == name("tEXt") {
        for text in wanted
        where length == text.key.count + 1 + text.value.count
          && matches(bytes, start, text.key) && bytes[start + text.key.count] == 0
        {
          guard matches(bytes, start + text.key.count + 1, text.value) else { return false }
          found += 1
          if found == wanted.count { return true }
        }
      }
      at = start + length + 4
    }
    return nil
  }

  private static func matches(_ bytes: [UInt8], _ at: Int, _ part: [UInt8]) -> Bool {
    for index in 0..<part.count where bytes[at + index] != part[index] { return false }
    return true
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    Int(bytes[at]) << 24 | Int(bytes[at + 1]) << 16 | Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
  }

  private static func name(_ text: StaticString) -> Int {
    var value = 0
    text.withUTF8Buffer { for byte in $0 { value = value << 8 | Int(byte) } }
    return value
  }

  /// What was made by somebody who is not trusted, with texts of ours instead of its.
  ///
  /// Only the head, the picture and the end of `picture` are taken over, and the texts that are numbers
  /// under the names in `numbers`. Nil unless it is 8-bit RGBA, not interlaced, and at most `size` wide and
  /// high.
  static func rebuild(
    _ picture: [UInt8],
    within size: Int,
    texts: [(String, [UInt8])],
    numbers: [String] = []
  ) -> [UInt8]? {
    guard picture.starts(with: signature) else { return nil }
    var result = signature
    var data: [ArraySlice<UInt8>] = []
    var kept: [(String, [UInt8])] = []
    var hasHead = false
    var at = 8
    while at + 12 <= picture.count {
      let length = number(picture, at)
      guard length >= 0, at + 12 + length <= picture.count else { return nil }
      let body = picture[(at + 8)..<(at + 8 + length)]
      switch number(picture, at + 4) {
      case name("IHDR"):
        guard !hasHead, length == 13, number(picture, at + 8) <= size,
          number(picture, at + 12) <= size,
          Array(body.suffix(5)) == [8, 6, 0, 0, 0]
        else { return nil }
        hasHead = true
        result += chunk("IHDR", body)
      case name("IDAT"): data.append(body)
      case name("tEXt"):
        for key in numbers where body.starts(with: Array(key.utf8) + [0]) {
          let value = Array(body.dropFirst(key.utf8.count + 1))
          if value.count < 10, value.allSatisfy({ (48...57).contains($0) }) {
            kept.append((key, value))
          }
        }
      case name("IEND"):
        guard hasHead, !data.isEmpty else { return nil }
        for (key, value) in texts + kept { result += chunk("tEXt", Array(key.utf8) + [0] + value) }
        for part in data { result += chunk("IDAT", part) }
        return result + chunk("IEND", [])
      default: break
      }
      at += 12 + length
    }
    return nil
  }

  /// A picture of one transparent dot, with texts.
  static func dot(texts: [(String, [UInt8])]) -> [UInt8] {
    var result = signature
    result += chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0])
    for (key, value) in texts { result += chunk("tEXt", Array(key.utf8) + [0] + value) }
    // zlib: one stored block of a filter byte and four zeros.
    result += chunk(
      "IDAT",
      [0x78, 0x01, 0x01, 0x05, 0x00, 0xfa, 0xff, 0, 0, 0, 0, 0, 0x00, 0x05, 0x00, 0x01]
    )
    return result + chunk("IEND", [])
  }

  private static func chunk(_ kind: String, _ body: some Collection<UInt8>) -> [UInt8] {
    let named = Array(kind.utf8) + body
    return bytes(UInt32(body.count)) + named + bytes(checksum(named))
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1 }
    return value
  }

  /// CRC-32, as zip and Ethernet have it.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    var value = UInt32.max
    for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 255)] ^ (value >> 8) }
    return ~value
  }
}
