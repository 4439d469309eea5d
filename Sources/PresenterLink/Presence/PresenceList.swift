import CoordinationRuntime
import LinuxSystem

/// The layout of `peers/<process>/presenters`: a header, then records that are only ever appended.
///
/// A record counts once the header's committed length covers it, so that no reader sees half of one.
enum PresenceList {
  static let headerLength = 64
  static let magic: UInt64 = 0x3130_5453_494c_4346  // "FCLIST01"
  /// Offsets in the header: magic, instance (differs in each rewritten file), committed length.
  enum At {
    static let instance = 8
    static let committed = 16
  }

  enum Record: Equatable {
    case add(number: UInt64, path: FilePath)
    case remove(number: UInt64)

    /// Kind (1 add, 2 remove), a zero, length of the path in two bytes, number in eight; the path.
    var bytes: [UInt8] {
      var writer = WireWriter()
      switch self {
      case .add(let number, let path):
        writer.put(UInt8(1))
        writer.put(UInt8(0))
        writer.put(UInt16(truncatingIfNeeded: path.count))
        writer.put(number)
        writer.bytes += path.bytes
      case .remove(let number):
        writer.put(UInt8(2))
        writer.put(UInt8(0))
        writer.put(UInt16(0))
        writer.put(number)
      }
      return writer.bytes
    }
  }

  static func header(instance: UInt64, committed: Int) -> [UInt8] {
    var writer = WireWriter()
    writer.put(magic)
    writer.put(instance)
    writer.put(UInt64(committed))
    return writer.bytes + [UInt8](repeating: 0, count: headerLength - writer.bytes.count)
  }

  /// The whole records at the start of `bytes`, and how many bytes they take.
  ///
  /// Stops at the first that is cut off or damaged: what follows cannot be told.
  static func records(_ bytes: [UInt8]) -> (records: [Record], length: Int) {
    var reader = WireReader(bytes[...])
    var records: [Record] = []
    var length = 0
    while !reader.isAtEnd {
      // Cut off or damaged: the end, as said.
      guard let record = try? record(&reader) else { break }
      records.append(record)
      length = bytes.count - reader.remaining
    }
    return (records, length)
  }

  private static func record(_ reader: inout WireReader) throws(WireFault) -> Record {
    let kind = try reader.byte()
    _ = try reader.byte()
    let length = Int(try reader.uint16())
    let number = try reader.uint64()
    switch kind {
    case 1: return .add(number: number, path: FilePath(bytes: try reader.take(length)))
    case 2: return .remove(number: number)
    default: throw WireFault("a record of unknown kind \(kind)")
    }
  }
}
