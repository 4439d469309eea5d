import CLinux
import Glibc

extension Descriptor {
  /// Reads at most `count` bytes that stand at `offset`; fewer where the file ends.
  ///
  /// - SeeAlso: pread(2)
  package borrowing func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
    let number = number
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        while filled < count {
          let got = try systemCall("pread") {
            unsafe pread(
              number,
              buffer.baseAddress.map { unsafe $0 + filled },
              count - filled,
              offset + filled
            )
          }
          if got == 0 { return }
          filled += got
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all of `bytes` at `offset`, in as many calls as it takes.
  ///
  /// - SeeAlso: pwrite(2)
  package borrowing func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
    let number = number
    var done = 0
    while done < bytes.count {
      done += try systemCall("pwrite") {
        unsafe bytes.withUnsafeBytes { all in
          unsafe pwrite(
            number,
            all.baseAddress.map { unsafe $0 + done },
            all.count - done,
            offset + done
          )
        }
      }
    }
  }

  /// Makes the file at least `length` bytes long, with room on the device for all of them.
  ///
  /// What stands in it stays. A mapping of a file without room is killed by SIGBUS at its first touch
  /// when the device is full; here that is ENOSPC beforehand. Where the file system cannot reserve,
  /// the file is only made longer.
  /// - SeeAlso: fallocate(2)
  package borrowing func allocate(_ length: Int) throws(SystemError) {
    let number = number
    do throws(SystemError) {
      _ = try systemCall("fallocate") { cl_allocate(number, length) }
    } catch  where error.code == .notSupported {
      if try FileStatus(ofNumber: number).size < length { try setLength(length) }
    }
  }
}
