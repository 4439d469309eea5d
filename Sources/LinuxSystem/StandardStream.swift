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
  /// Puts something at the numbers of standard streams that the process was started without.
  ///
  /// Otherwise the next file that is opened gets such a number, be it a lock or somebody's document, and
  /// what is meant for the reader is written to it. What stands there afterwards fails with EBADF, as a
  /// closed stream does, and is closed for programs that are started. To be called before anything is opened.
  /// - SeeAlso: open(2) and dup(2): always the lowest number that is free
  package static func keepPlaces() {
    for number: CInt in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // Where not even that can be opened, nothing else can.
      _ = unsafe open("/dev/null", (number == 0 ? O_WRONLY : O_RDONLY) | O_CLOEXEC)
    }
  }

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
