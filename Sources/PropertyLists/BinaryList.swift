/// A binary property list; everything that it says of itself is checked before it is followed.
struct BinaryList {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  private let table: Int

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 40 else { return nil }
    let trailer = Array(bytes.suffix(32))
    self.bytes = bytes
    offsetSize = Int(trailer[6])
    referenceSize = Int(trailer[7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Self.number(trailer[8..<16]), let top = Self.number(trailer[16..<24]),
      let table = Self.number(trailer[24..<32]), top < count, table >= 8,
      count <= bytes.count, table <= bytes.count - 32,
      count * offsetSize <= bytes.count - 32 - table
    else { return nil }
    self.count = count
    self.top = top
    self.table = table
  }

  /// Whether each object that is reached is of a kind that Foundation takes, lies within the bytes, and
  /// nests no deeper than 64; lists that share so much that they would grow without bounds are none.
  var isSound: Bool {
    var left = 100_000
    return isSound(top, depth: 0, &left)
  }

  private func isSound(_ number: Int, depth: Int, _ left: inout Int) -> Bool {
    left -= 1
    guard left > 0, depth < 64, let (kind, length, start) = object(number) else { return false }
    switch kind {
    case 0: return length == 0 || length == 8 || length == 9
    case 1, 2, 3: return length <= 4 && 1 << length <= table - start
    case 4, 5: return length <= table - start
    case 6: return length <= bytes.count && 2 * length <= table - start
    case 0xa, 0xd:
      let references = kind == 0xd ? 2 * length : length
      guard length <= bytes.count, references * referenceSize <= table - start else { return false }
      for index in 0..<references {
        guard let inner = reference(start, index), isSound(inner, depth: depth + 1, &left) else {
          return false
        }
      }
      return true
    // Sets, and unique identifiers of archives.
    default: return false
    }
  }

  func strings() -> [String: String]? {
    guard let (kind, length, start) = object(top), kind == 0xd,
      length <= bytes.count, 2 * length * referenceSize <= table - start
    else { return nil }
    var result: [String: String] = [:]
    for index in 0..<length {
      let (key, value) = (reference(start, index), reference(start, length + index))
      if let key = key.flatMap(text), let value = value.flatMap(text) { result[key] = value }
    }
    return result
  }

  private func reference(_ start: Int, _ index: Int) -> Int? {
    let at = start + index * referenceSize
    return Self.number(bytes[at..<(at + referenceSize)])
  }

  private func text(_ number: Int) -> String? {
    guard let (kind, length, start) = object(number), length <= bytes.count else { return nil }
    switch kind {
    case 5 where length <= table - start:
      return String(decoding: bytes[start..<(start + length)], as: UTF8.self)
    case 6 where 2 * length <= table - start:
      let units = (0..<length).map { index in
        UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
      }
      return String(decoding: units, as: UTF16.self)
    default: return nil
    }
  }

  /// What kind an object is, how long, and where its contents begin.
  private func object(_ number: Int) -> (kind: UInt8, length: Int, start: Int)? {
    guard number < count,
      let at = Self.number(
        bytes[(table + number * offsetSize)..<(table + (number + 1) * offsetSize)]
      ), at >= 8, at < table
    else { return nil }
    let length = Int(bytes[at] & 0xf)
    if length < 0xf { return (bytes[at] >> 4, length, at + 1) }
    // A longer one: an integer object follows that says how long.
    guard at + 1 < table, bytes[at + 1] >> 4 == 1 else { return nil }
    let size = 1 << Int(bytes[at + 1] & 0xf)
    guard size <= 8, at + 2 + size <= table,
      let long = Self.number(bytes[(at + 2)..<(at + 2 + size)])
    else { return nil }
    return (bytes[at] >> 4, long, at + 2 + size)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    var value: UInt64 = 0
    for byte in bytes {
      guard value < 1 << 40 else { return nil }
      value = value << 8 | UInt64(byte)
    }
    return value < 1 << 31 ? Int(value) : nil
  }
}
