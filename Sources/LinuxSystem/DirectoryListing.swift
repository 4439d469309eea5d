import CLinux
import Glibc

/// What a directory holds, as the kernel gave it: one block of bytes, taken apart when it is asked.
///
/// Trees of a hundred thousand files are listed before anybody knows which of them will matter.
package struct DirectoryListing: Sendable {
  /// One name in it.
  package struct Entry: Sendable {
    package let inode: UInt64
    /// What kind of file it is; nil where the file system does not say.
    package let kind: FileStatus.Kind?
    /// Where the name stands in ``DirectoryListing/bytes``.
    package let name: Range<Int>
  }

  /// Records of getdents64(2).
  package let bytes: [UInt8]

  /// Reads a directory that is open for reading and of which nothing was read yet.
  ///
  /// - SeeAlso: getdents64(2)
  package init(of directory: CInt) throws(SystemError) {
    var all: [UInt8] = []
    var failure: SystemError?
    unsafe withUnsafeTemporaryAllocation(byteCount: 32768, alignment: 8) { buffer in
      while true {
        do throws(SystemError) {
          let got = try systemCall("getdents64") {
            unsafe cl_getdents(directory, buffer.baseAddress, buffer.count)
          }
          if got == 0 { return }
          unsafe all.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        } catch {
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
    bytes = all
  }

  /// Calls `body` with every name but "." and "..", in the kernel's order.
  package func forEach(_ body: (Entry) -> Void) {
    // d_ino, d_off, d_reclen, d_type, d_name.
    let header = 19
    unsafe bytes.withUnsafeBytes { raw in
      var at = 0
      while at + header < raw.count {
        let length = unsafe Int(raw.loadUnaligned(fromByteOffset: at + 16, as: UInt16.self))
        guard length > header, at + length <= raw.count, let base = raw.baseAddress else { return }
        let start = at + header
        let count = unsafe strnlen(
          (base + start).assumingMemoryBound(to: CChar.self),
          length - header
        )
        let isDots =
          unsafe (count == 1 && raw[start] == 0x2e)
          || (count == 2 && raw[start] == 0x2e && raw[start + 1] == 0x2e)
        if !isDots {
          unsafe body(
            Entry(
              inode: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self),
              kind: Self.kind(raw[at + 18]),
              name: start..<(start + count)
            )
          )
        }
        at += length
      }
    }
  }

  private static func kind(_ type: UInt8) -> FileStatus.Kind? {
    switch Int(type) {
    case DT_REG: .regular
    case DT_DIR: .directory
    case DT_LNK: .link
    case DT_UNKNOWN: nil
    default: .other
    }
  }
}
