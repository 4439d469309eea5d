import Foundation

/// A look at a property list before Foundation parses it.
///
/// Its parser follows references without a limit: an array that holds itself, or is nested a hundred
/// thousand deep, would end the process. A value of this attribute is a dictionary of strings.
enum PropertyListShape {
  /// How deep things may lie in each other.
  private static let depth = 16
  private static let objects = 4096

  static func isHarmless(_ data: Data) -> Bool {
    let bytes = [UInt8](data)
    if bytes.starts(with: Array("bplist00".utf8)) { return isHarmlessBinary(bytes) }
    // As text: nothing nests without one of these, and entities could grow without bounds.
    let openings = bytes.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
    let elements = ["<array", "<dict", "<!ENTITY"].map { count(of: Array($0.utf8), in: bytes) }
    return openings + elements[0] + elements[1] <= 64 && elements[2] == 0
  }

  private static func count(of word: [UInt8], in bytes: [UInt8]) -> Int {
    guard bytes.count >= word.count else { return 0 }
    return (0...(bytes.count - word.count)).count {
      bytes[$0] == word[0] && bytes[$0...].starts(with: word)
    }
  }

  private static func isHarmlessBinary(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 40 else { return false }
    let trailer = Array(bytes.suffix(32))
    let (offsetSize, referenceSize) = (Int(trailer[6]), Int(trailer[7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(trailer[8..<16]), let top = number(trailer[16..<24]),
      let table = number(trailer[24..<32]), count > 0, count <= objects, top < count,
      table >= 8, table + count * offsetSize <= bytes.count - 32
    else { return false }
    var seen: [Int: Int] = [:]  // how deep what lies below each is
    var onTheWay: Set<Int> = []

    func height(_ object: Int, _ level: Int) -> Int? {
      if let known = seen[object] { return known }
      guard level <= depth, object < count, onTheWay.insert(object).inserted,
        let at = number(bytes[(table + object * offsetSize)..<(table + (object + 1) * offsetSize)]),
        at >= 8, at < table
      else { return nil }
      defer { onTheWay.remove(object) }
      let kind = bytes[at] >> 4
      var length = Int(bytes[at] & 0xf)
      var start = at + 1
      if length == 0xf, kind >= 4 {
        guard start < table, bytes[start] >> 4 == 1 else { return nil }
        let size = 1 << Int(bytes[start] & 0xf)
        guard size <= 8, start + 1 + size <= table,
          let long = number(bytes[(start + 1)..<(start + 1 + size)])
        else { return nil }
        length = long
        start += 1 + size
      }
      guard length <= bytes.count else { return nil }
      var below = 0
      let references: Int
      switch kind {
      case 0xa, 0xb, 0xc: references = length
      case 0xd: references = 2 * length
      default: references = 0
      }
      guard start + references * referenceSize <= table else { return nil }
      for index in 0..<references {
        let place = start + index * referenceSize
        guard let next = number(bytes[place..<(place + referenceSize)]),
          let height = height(next, level + 1)
        else { return nil }
        below = max(below, height + 1)
      }
      guard level + below <= depth else { return nil }
      seen[object] = below
      return below
    }
    return height(top, 0) != nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value: UInt64 = 0
    for byte in bytes {
      guard value < 1 << 48 else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value < 1 << 31 ? Int(value) : nil
  }
}
