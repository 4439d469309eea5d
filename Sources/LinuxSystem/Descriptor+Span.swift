import CLinux
import Glibc

extension Descriptor {
  /// Writes all bytes of `span`, in as many calls as it takes, without a copy of them.
  ///
  /// - SeeAlso: write(2)
  package borrowing func write(_ span: RawSpan) throws(SystemError) {
    let number = number
    var done = 0
    while done < span.byteCount {
      let rest = span.extracting(droppingFirst: done)
      done += try systemCall("write") {
        unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
    }
  }

  /// Reads into `span` from `offset` until it is full or the file ends.
  ///
  /// - Returns: how many bytes were read.
  /// - SeeAlso: pread(2)
  package borrowing func read(into span: inout MutableRawSpan, at offset: Int = 0)
    throws(SystemError) -> Int
  {
    let number = number
    var done = 0
    while done < span.byteCount {
      let from = done
      let count = try systemCall("pread") {
        unsafe span.withUnsafeMutableBytes { buffer -> Int in
          guard let base = buffer.baseAddress else { return 0 }
          return unsafe pread(number, base + from, buffer.count - from, off_t(offset + from))
        }
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Makes this empty file share the blocks of `source`; both stay independent.
  ///
  /// - Throws: EOPNOTSUPP and others where the file system cannot.
  /// - SeeAlso: ioctl_ficlone(2)
  package borrowing func clone(_ source: borrowing Descriptor) throws(SystemError) {
    let (to, from) = (number, source.number)
    _ = try systemCall("ioctl FICLONE") { cl_clone(to, from) }
  }
}
