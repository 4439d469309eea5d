import CoordinationRuntime
import LinuxSystem

/// Bytes of a message: little-endian numbers, and bytes with their length before them.
struct WireWriter {
  var bytes: [UInt8] = []
  /// A list is longer than a reader takes.
  var isRefusable = false

  mutating func put<N: FixedWidthInteger & UnsignedInteger>(_ number: N) {
    for shift in stride(from: 0, to: N.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> N(shift)))
    }
  }

  mutating func put(_ flag: Bool) { put(UInt8(flag ? 1 : 0)) }

  mutating func put(_ data: some Collection<UInt8>) {
    put(UInt32(data.count))
    bytes += data
  }

  mutating func put(_ path: FilePath) { put(path.bytes) }
  mutating func put(_ text: String) { put(Array(text.utf8)) }

  mutating func put(_ process: ProcessIdentity) {
    put(UInt32(bitPattern: process.pid))
    put(process.started)
  }

  mutating func put(_ claim: ClaimID) {
    put(claim.process)
    put(claim.number)
  }

  /// The number of elements, then each.
  mutating func put<E>(each elements: [E], _ body: (E, inout WireWriter) -> Void) {
    if elements.count > LinkPacket.mostElements { isRefusable = true }
    put(UInt32(truncatingIfNeeded: elements.count))
    for element in elements { body(element, &self) }
  }

  /// Each element with its length before it, so that a reader can skip what it does not know.
  mutating func put<E>(records elements: [E], _ body: (E, inout WireWriter) -> Void) {
    put(each: elements) { element, writer in
      var inner = WireWriter()
      body(element, &inner)
      writer.put(inner.bytes)
      if inner.isRefusable { writer.isRefusable = true }
    }
  }
}
