import LinuxSystem

/// Numbers and fields of bookmarks as bytes; reading trusts nothing.
enum BookmarkBytes {
  struct Writer {
    var bytes: [UInt8] = []

    mutating func number(_ value: UInt64) { bytes += encode(value) }

    mutating func field(_ tag: UInt8, _ value: [UInt8]) {
      bytes.append(tag)
      number(UInt64(value.count))
      bytes += value
    }
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

  static func encode(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (UInt64($0) * 8)) }
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func encode(_ identity: FileIdentity) -> [UInt8] {
    var bytes = encode(identity.volume) + encode(identity.inode)
    bytes.append(identity.birth == nil ? 0 : 1)
    bytes += encode(UInt64(bitPattern: Int64(identity.birth?.seconds ?? 0)))
    bytes += encode(UInt64(identity.birth?.nanoseconds ?? 0))
    return bytes + identity.handle
  }

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
