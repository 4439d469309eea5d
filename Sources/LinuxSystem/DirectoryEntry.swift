import CLinux
import Glibc

/// One name in a directory, as the directory itself has it: no look at the file.
package struct DirectoryEntry: Sendable {
  package let name: [UInt8]
  /// What kind of file it is; nil where the file system does not say.
  package let kind: FileStatus.Kind?
}

extension FileSystem {
  /// The names in a directory that is open for reading, without "." and "..", in no order.
  ///
  /// Reads from the beginning, whatever was read before.
  /// - SeeAlso: getdents64(2)
  package static func entries(of directory: CInt) throws(SystemError) -> [DirectoryEntry] {
    // A second description, because closedir closes its own and moves the offset.
    let copy = try Descriptor.open(FilePath("."), [.readOnly, .directory], at: directory).release()
    guard let stream = unsafe fdopendir(copy) else {
      let code = cl_errno()
      close(copy)
      throw SystemError("fdopendir", code)
    }
    defer { unsafe closedir(stream) }
    var found: [DirectoryEntry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe Array($0.prefix { $0 != 0 })
      }
      if name == [0x2e] || name == [0x2e, 0x2e] { continue }
      let kind: FileStatus.Kind? =
        switch unsafe Int(entry.pointee.d_type) {
        case DT_REG: .regular
        case DT_DIR: .directory
        case DT_LNK: .link
        case DT_UNKNOWN: nil
        default: .other
        }
      found.append(DirectoryEntry(name: name, kind: kind))
    }
    return found
  }
}
