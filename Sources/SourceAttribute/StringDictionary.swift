import Foundation

/// The strings in a property list with a dictionary, read without trust.
///
/// Foundation's parser of binary lists ends the process for a list that holds itself, for a set in
/// it, and for one that is nested too deep; anybody may have written an attribute. So binary lists are
/// read here, which takes a look at the top dictionary only.
/// - SeeAlso: CFBinaryPList
enum StringDictionary {
  /// Values that are no strings are left out; nil for what is no dictionary.
  static func read(_ data: Data) -> [String: String]? {
    let bytes = [UInt8](data)
    if bytes.starts(with: Array("bplist".utf8)) { return BinaryList(bytes)?.strings() }
    guard isHarmlessText(bytes),
      let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
      let values = list as? [String: Any]
    else { return nil }
    return values.compactMapValues { $0 as? String }
  }

  /// Nothing nests without one of these, and entities could grow without bounds.
  private static func isHarmlessText(_ bytes: [UInt8]) -> Bool {
    let openings = bytes.count { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "{") }
    let elements = ["<array", "<dict", "<!ENTITY"].map { count(of: Array($0.utf8), in: bytes) }
    return openings + elements[0] + elements[1] <= 64 && elements[2] == 0
  }

  private static func count(of word: [UInt8], in bytes: [UInt8]) -> Int {
    guard bytes.count >= word.count else { return 0 }
    return (0...(bytes.count - word.count))
      .count { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }
}

/// A binary property list; everything that it says of itself is checked before it is followed.
private struct BinaryList {
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
