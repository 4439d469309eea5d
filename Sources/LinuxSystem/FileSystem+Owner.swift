import Glibc

extension FileSystem {
  /// Sets owner and group; -1 keeps one.
  ///
  /// - SeeAlso: lchown(2)
  package static func setOwner(_ path: FilePath, user: UInt32, group: UInt32) throws(SystemError) {
    _ = try systemCall("lchown", on: path) {
      unsafe path.withCString { unsafe lchown($0, user, group) }
    }
  }
}
