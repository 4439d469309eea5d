import CLinux
import Glibc

extension Descriptor {
  /// Reads at most `capacity` bytes from where the description stands; empty at the end.
  ///
  /// - SeeAlso: read(2)
  package borrowing func read(upTo capacity: Int) throws(SystemError) -> [UInt8] {
    let number = number
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      do throws(SystemError) {
        count = try systemCall("read") {
          unsafe Glibc.read(number, buffer.baseAddress, buffer.count)
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until the end of the file.
  package borrowing func readToEnd() throws(SystemError) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let part = try read(upTo: 65536)
      if part.isEmpty { return all }
      all += part
    }
  }

  /// Writes all of `bytes`, in as many calls as it takes.
  ///
  /// - SeeAlso: write(2)
  package borrowing func write(_ bytes: some Collection<UInt8>) throws(SystemError) {
    let number = number
    var rest = ArraySlice(Array(bytes))
    while !rest.isEmpty {
      let chunk = rest
      let written = try systemCall("write") {
        unsafe chunk.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
  }

  /// Writes all of `bytes` at `offset`, whatever the description's own position.
  ///
  /// - SeeAlso: pwrite(2)
  package borrowing func write(_ bytes: some Collection<UInt8>, at offset: Int) throws(SystemError)
  {
    let number = number
    let all = Array(bytes)
    var done = 0
    while done < all.count {
      let from = done
      done += try systemCall("pwrite") {
        unsafe all.withUnsafeBytes { raw -> Int in
          guard let base = raw.baseAddress else { return 0 }
          return unsafe Glibc.pwrite(number, base + from, all.count - from, off_t(offset + from))
        }
      }
    }
  }

  /// Sets the length of the file, in bytes.
  ///
  /// - SeeAlso: ftruncate(2)
  package borrowing func setLength(_ length: Int) throws(SystemError) {
    let number = number
    _ = try systemCall("ftruncate") { ftruncate(number, length) }
  }

  /// Flushes the file's data and metadata to the device.
  ///
  /// - SeeAlso: fsync(2)
  package borrowing func synchronize() throws(SystemError) {
    let number = number
    _ = try systemCall("fsync") { fsync(number) }
  }
}
