import CLinux
import Glibc

/// Bytes in a file without a name, which is handed to another process and which nobody can change.
package enum MemoryFile {
  /// Makes a sealed file of these bytes.
  ///
  /// - Throws: EMFILE, ENFILE or ENOMEM.
  /// - SeeAlso: memfd_create(2)
  package static func make(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let number = try systemCall("memfd_create") { unsafe cl_memory_file("file-coordination") }
    let file = Descriptor(owning: number)
    try file.write(bytes, at: 0)
    _ = try systemCall("fcntl") { cl_seal(number) }
    return file
  }

  /// The bytes of a file that another process made with ``make(_:)``.
  ///
  /// - Throws: EBADMSG for anything but a sealed memory file, or one longer than `limit`: reading
  ///   another kind of file could block.
  package static func read(_ number: CInt, limit: Int) throws(SystemError) -> [UInt8] {
    guard cl_is_sealed(number) else { throw SystemError("fcntl", .badMessage) }
    let size = try FileStatus(ofNumber: number).size
    guard size >= 0, size <= limit else { throw SystemError("fstat", .badMessage) }
    let file = Descriptor(owning: try systemCall("fcntl") { fcntl(number, F_DUPFD_CLOEXEC, 3) })
    return try file.read(Int(size), at: 0)
  }
}

extension MemoryFile {
  /// Makes an empty file without a name, for what a program says.
  ///
  /// - Throws: EMFILE, ENFILE or ENOMEM.
  /// - SeeAlso: memfd_create(2)
  package static func empty() throws(SystemError) -> Descriptor {
    Descriptor(
      owning: try systemCall("memfd_create") { unsafe cl_memory_file("file-coordination") }
    )
  }
}
