import CoordinationRuntime
import LinuxSystem

/// Why bytes are not a message.
struct WireFault: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Takes apart bytes that anybody may have written: every length is checked against what is there,
/// and no memory is set aside on the word of a number in them.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  /// How many bytes were not taken yet.
  var remaining: Int { rest.count }

  mutating func take(_ count: Int) throws(WireFault) -> ArraySlice<UInt8> {
    guard count >= 0, count <= rest.count else {
      throw WireFault("\(count) bytes are announced, \(rest.count) are there")
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func number<N: FixedWidthInteger & UnsignedInteger>() throws(WireFault) -> N {
    var result: N = 0
    var shift: N = 0
    for byte in try take(N.bitWidth / 8) {
      result |= N(byte) << shift
      shift += 8
    }
    return result
  }

  mutating func byte() throws(WireFault) -> UInt8 { try number() }
  mutating func uint16() throws(WireFault) -> UInt16 { try number() }
  mutating func uint32() throws(WireFault) -> UInt32 { try number() }
  mutating func uint64() throws(WireFault) -> UInt64 { try number() }
  mutating func flag() throws(WireFault) -> Bool { try byte() != 0 }

  mutating func data() throws(WireFault) -> ArraySlice<UInt8> { try take(Int(try uint32())) }
  mutating func path() throws(WireFault) -> FilePath {
    let bytes = try data()
    guard bytes.count <= 4096, !bytes.contains(0) else { throw WireFault("not a path") }
    return FilePath(bytes: bytes)
  }
  mutating func text() throws(WireFault) -> String { String(decoding: try data(), as: UTF8.self) }

  mutating func process() throws(WireFault) -> ProcessIdentity {
    ProcessIdentity(pid: Int32(bitPattern: try uint32()), started: try uint64())
  }

  mutating func claim() throws(WireFault) -> ClaimID {
    ClaimID(process: try process(), number: try uint64())
  }

  private mutating func count() throws(WireFault) -> UInt32 {
    let count = try uint32()
    // Every element takes a byte at least.
    guard count <= LinkPacket.mostElements, count <= remaining else {
      throw WireFault("\(count) elements are announced")
    }
    return count
  }

  /// What `put(each:)` wrote: grows as elements are really there.
  mutating func each<E>(_ body: (inout WireReader) throws(WireFault) -> E) throws(WireFault) -> [E]
  {
    var elements: [E] = []
    for _ in 0..<(try count()) {
      elements.append(try body(&self))
    }
    return elements
  }

  /// What `put(records:)` wrote.
  ///
  /// `body` may leave bytes of a record unread, and skip it by nil.
  mutating func records<E>(_ body: (inout WireReader) throws(WireFault) -> E?)
    throws(WireFault) -> [E]
  {
    var elements: [E] = []
    for _ in 0..<(try count()) {
      var inner = WireReader(try data())
      if let element = try body(&inner) { elements.append(element) }
    }
    return elements
  }
}
