import Glibc

extension FileSystem {
  /// Gives a name to a group; a link is not followed.
  ///
  /// - SeeAlso: fchownat(2)
  package static func setGroup(_ path: FilePath, _ group: UInt32) throws(SystemError) {
    _ = try systemCall("fchownat", on: path) {
      unsafe path.withCString { unsafe fchownat(AT_FDCWD, $0, .max, group, AT_SYMLINK_NOFOLLOW) }
    }
  }
}
