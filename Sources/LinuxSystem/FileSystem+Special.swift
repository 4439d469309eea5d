import Glibc

extension FileSystem {
  /// Creates a named pipe.
  ///
  /// - SeeAlso: mkfifo(3)
  package static func makePipe(_ path: FilePath, mode: UInt32 = 0o600) throws(SystemError) {
    _ = try systemCall("mkfifo", on: path) {
      unsafe path.withCString { unsafe mkfifo($0, mode) }
    }
  }

  /// Gives a file a second name.
  ///
  /// - SeeAlso: link(2)
  package static func makeHardLink(_ path: FilePath, to target: FilePath) throws(SystemError) {
    _ = try systemCall("link", on: path) {
      unsafe target.withCString { a in unsafe path.withCString { b in unsafe link(a, b) } }
    }
  }
}
