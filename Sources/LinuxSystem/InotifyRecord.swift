import CLinux
import Glibc

/// One record as the kernel queued it.
///
/// - SeeAlso: inotify(7)
package struct InotifyRecord: Hashable, Sendable {
  /// The watch it belongs to; -1 when the queue overflowed.
  package let watch: Int32
  package let mask: InotifyMask
  /// The same in both halves of a rename, otherwise 0.
  package let cookie: UInt32
  /// The bytes of the name in the watched directory; empty when it is about the watched object.
  package let name: [UInt8]

  package init(watch: Int32, mask: InotifyMask, cookie: UInt32 = 0, name: [UInt8] = []) {
    self.watch = watch
    self.mask = mask
    self.cookie = cookie
    self.name = name
  }

  /// Says that records were lost.
  package static let overflow = InotifyRecord(watch: -1, mask: .overflowed)

  /// Takes the records out of what read(2) gave.
  ///
  /// A cut record at the end is dropped: the kernel never makes one.
  static func parse(_ bytes: UnsafeRawBufferPointer, into records: inout [InotifyRecord]) {
    let header = MemoryLayout<inotify_event>.size
    var at = 0
    while at + header <= bytes.count {
      let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: at + 12, as: UInt32.self))
      guard at + header + length <= bytes.count else { return }
      let name = unsafe bytes[(at + header)..<(at + header + length)].prefix { $0 != 0 }
      unsafe records.append(
        InotifyRecord(
          watch: bytes.loadUnaligned(fromByteOffset: at, as: Int32.self),
          mask: InotifyMask(rawValue: bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self)),
          cookie: bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt32.self),
          name: Array(name)
        )
      )
      at += header + length
    }
  }

  /// The same for bytes in an array.
  package static func parse(_ bytes: [UInt8]) -> [InotifyRecord] {
    var records: [InotifyRecord] = []
    unsafe bytes.withUnsafeBytes { unsafe parse($0, into: &records) }
    return records
  }
}
