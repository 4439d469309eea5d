import LinuxSystem

/// Numbers and fields of bookmarks as bytes; reading trusts nothing.
enum BookmarkBytes {
  struct Writer {
    private(set) var bytes: [UInt8]

    init(_ start: [UInt8] = [], capacity: Int) {
      bytes = start
      bytes.reserveCapacity(capacity)
    }

    mutating func number(_ value: UInt64) {
      var rest = value
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }

    mutating func field(_ tag: UInt8, _ value: ArraySlice<UInt8>) {
      bytes.append(tag)
      number(UInt64(value.count))
      bytes.append(contentsOf: value)
    }

    mutating func field(_ tag: UInt8, _ value: [UInt8]) { field(tag, value[...]) }

    mutating func field(_ tag: UInt8, _ value: UInt64) {
      bytes.append(tag)
      number(8)
      number(value)
    }

    mutating func field(_ tag: UInt8, _ identity: FileIdentity) {
      bytes.append(tag)
      number(UInt64(BookmarkBytes.length(of: identity)))
      number(identity.volume)
      number(identity.inode)
      bytes.append(identity.birth == nil ? 0 : 1)
      number(UInt64(bitPattern: Int64(identity.birth?.seconds ?? 0)))
      number(UInt64(identity.birth?.nanoseconds ?? 0))
      bytes.append(contentsOf: identity.handle)
    }

    /// A field of two fields, with the tags 0 and 1.
    mutating func field(_ tag: UInt8, _ value: ArraySlice<UInt8>, _ identity: FileIdentity) {
      bytes.append(tag)
      number(UInt64(9 + value.count + 9 + BookmarkBytes.length(of: identity)))
      field(0, value)
      field(1, identity)
    }

    mutating func append(_ end: [UInt8]) { bytes.append(contentsOf: end) }
  }

  struct Reader {
    private var rest: ArraySlice<UInt8>
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// False after a field that was cut off.
    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> UInt64? {
      guard rest.count >= 8 else { return nil }
      defer { rest = rest.dropFirst(8) }
      return BookmarkBytes.number(rest.prefix(8))
    }

    mutating func field() -> (UInt8, ArraySlice<UInt8>)? {
      guard let tag = rest.first else { return nil }
      var ahead = self
      ahead.rest = rest.dropFirst()
      guard let length = ahead.number(), length <= UInt64(ahead.rest.count) else { return nil }
      let value = ahead.rest.prefix(Int(length))
      rest = ahead.rest.dropFirst(Int(length))
      return (tag, value)
    }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var number: UInt64 = 0
    for byte in bytes.prefix(8).reversed() { number = number << 8 | UInt64(byte) }
    return number
  }

  private static func length(of identity: FileIdentity) -> Int { 33 + identity.handle.count }

  static func identity(_ bytes: ArraySlice<UInt8>) -> FileIdentity? {
    guard bytes.count >= 33 else { return nil }
    let at = bytes.startIndex
    let seconds = Int64(bitPattern: number(bytes[(at + 17)...]))
    let nanoseconds = number(bytes[(at + 25)...])
    guard nanoseconds < 1_000_000_000 else { return nil }
    return FileIdentity(
      volume: number(bytes[at...]),
      inode: number(bytes[(at + 8)...]),
      birth: bytes[at + 16] == 0
        ? nil : FileStatus.Time(seconds: Int(seconds), nanoseconds: Int(nanoseconds)),
      handle: Array(bytes[(at + 33)...])
    )
  }
}
