import CLinux
import Glibc

/// The streams that a program is started with; never closed by us.
package enum StandardStream: CInt, Sendable {
  case output = 1
  case error = 2

  /// Writes all of `bytes`; blocks while the reader does not read.
  ///
  /// - Throws: EPIPE where nobody reads and SIGPIPE is ignored.
  /// - SeeAlso: write(2)
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = rest
      let number = rawValue
      let written = try systemCall("write") {
        unsafe part.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
  }
}

extension StandardStream {
  /// What a program is given to read; never closed by us.
  package struct Input: Sendable {
    package init() {}

    /// Reads at most `capacity` bytes, none at the end; blocks until there are some.
    ///
    /// - SeeAlso: read(2)
    package func read(upTo capacity: Int) throws(SystemError) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: capacity)
      let count = try systemCall("read") { unsafe Glibc.read(0, &bytes, capacity) }
      return Array(bytes.prefix(count))
    }
  }
}
