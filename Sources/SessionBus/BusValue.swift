/// A value of a message on the bus.
package indirect enum BusValue: Sendable, Equatable {
  case bool(Bool)
  case byte(UInt8)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case string(String)
  /// The path of an object.
  case path(String)
  /// An index into the descriptors that go with the message.
  case handle(Int32)
  /// `ay`.
  case bytes([UInt8])
  /// All of one type, which an empty array could not tell.
  case array(type: String, [BusValue])
  case tuple([BusValue])
  /// `a{sv}`.
  case options([String: BusValue])
  /// `v`.
  case variant(BusValue)
  /// `{..}`, as in arrays that are dictionaries with keys or values of other types.
  case entry(BusValue, BusValue)

  /// The text, of a string or of a path.
  package var text: String? {
    switch self {
    case .string(let text), .path(let text): text
    default: nil
    }
  }

  package var number: Int? {
    switch self {
    case .byte(let value): Int(value)
    case .int32(let value), .handle(let value): Int(value)
    case .uint32(let value): Int(value)
    case .int64(let value): Int(exactly: value)
    case .uint64(let value): Int(exactly: value)
    default: nil
    }
  }

  package var elements: [BusValue]? {
    switch self {
    case .array(_, let elements), .tuple(let elements): elements
    default: nil
    }
  }

  package var options: [String: BusValue]? {
    if case .options(let options) = self { options } else { nil }
  }

  package var bytes: [UInt8]? {
    if case .bytes(let bytes) = self { bytes } else { nil }
  }

  /// An array of strings.
  package static func strings(_ texts: [String]) -> BusValue {
    .array(type: "s", texts.map(BusValue.string))
  }

  /// A path as the portals want it: its bytes and a NUL.
  package static func terminated(_ bytes: some Sequence<UInt8>) -> BusValue {
    .bytes(Array(bytes) + [0])
  }

  /// The bytes before the NUL.
  package var unterminated: [UInt8]? { bytes.map { Array($0.prefix { $0 != 0 }) } }
}
