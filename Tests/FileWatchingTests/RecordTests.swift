import LinuxSystem
import Testing

/// Kernel records out of bytes, whatever the bytes.
@Suite struct RecordTests {
  private func bytes(
    _ watch: Int32,
    _ mask: UInt32,
    _ cookie: UInt32,
    _ name: [UInt8],
    padding: Int
  )
    -> [UInt8]
  {
    var out: [UInt8] = []
    let words = [UInt32(bitPattern: watch), mask, cookie, UInt32(name.count + padding)]
    for word in words {
      for shift in [0, 8, 16, 24] { out.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    return out + name + [UInt8](repeating: 0, count: padding)
  }

  @Test func `records are taken apart with their padding`() {
    let all =
      bytes(1, 0x100, 0, Array("new".utf8), padding: 13) + bytes(2, 0x8000, 0, [], padding: 0)
      + bytes(-1, 0x4000, 0, [], padding: 0) + bytes(3, 0x40, 77, [0xff, 0xfe], padding: 14)
    #expect(
      InotifyRecord.parse(all) == [
        InotifyRecord(watch: 1, mask: .created, name: Array("new".utf8)),
        InotifyRecord(watch: 2, mask: .ignored),
        InotifyRecord(watch: -1, mask: .overflowed),
        InotifyRecord(watch: 3, mask: .movedFrom, cookie: 77, name: [0xff, 0xfe]),
      ]
    )
  }

  @Test func `bytes that are cut off give no record`() {
    let one = bytes(1, 0x100, 0, Array("name".utf8), padding: 12)
    for count in 0..<one.count { #expect(InotifyRecord.parse(Array(one.prefix(count))).isEmpty) }
    #expect(InotifyRecord.parse(one + one.dropLast()).count == 1)
  }
}
