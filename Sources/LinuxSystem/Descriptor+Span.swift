import CLinux
import Glibc

extension Descriptor {
  /// Writes all of `bytes` from where they lie, in as many calls as it takes.
  ///
  /// - SeeAlso: write(2)
  package borrowing func write(contiguous bytes: borrowing Span<UInt8>) throws(SystemError) {
    let number = number
    var failure: SystemError?
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var done = 0
      do throws(SystemError) {
        while done < buffer.count {
          done += try systemCall("write") {
            unsafe Glibc.write(
              number,
              buffer.baseAddress.map { unsafe $0 + done },
              buffer.count - done
            )
          }
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Reads into `space` until it is full or the file ends; says how many bytes came.
  ///
  /// - SeeAlso: read(2)
  package borrowing func read(into space: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    let number = number
    var failure: SystemError?
    var filled = 0
    unsafe space.withUnsafeMutableBufferPointer { buffer in
      do throws(SystemError) {
        while filled < buffer.count {
          let got = try systemCall("read") {
            unsafe Glibc.read(
              number,
              buffer.baseAddress.map { unsafe $0 + filled },
              buffer.count - filled
            )
          }
          if got == 0 { return }
          filled += got
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return filled
  }
}
