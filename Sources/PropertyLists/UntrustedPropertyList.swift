package import Foundation

/// Property lists that anybody may have written: in attributes, placeholders, the environment.
///
/// Foundation's parser of binary lists ends the process for a list that holds itself, for a set in
/// it, and for one that is nested too deep. So binary lists are looked through here before, or instead.
/// - SeeAlso: CFBinaryPList
package enum UntrustedPropertyList {
  /// The list; nil for what is none, or could be a trap.
  package static func read(_ data: Data) -> Any? {
    let bytes = [UInt8](data)
    let isHarmless = isBinary(bytes) ? BinaryList(bytes)?.isSound == true : isHarmlessText(bytes)
    guard isHarmless else { return nil }
    // Whatever it is, it is no property list.
    return try? PropertyListSerialization.propertyList(from: data, options: [], format: nil)
  }

  /// The strings in a dictionary; values that are none are left out, nil for what is no dictionary.
  package static func strings(_ data: Data) -> [String: String]? {
    let bytes = [UInt8](data)
    if isBinary(bytes) { return BinaryList(bytes)?.strings() }
    return (read(data) as? [String: Any])?.compactMapValues { $0 as? String }
  }

  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("bplist".utf8))
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
