import CLinux
import Glibc

extension FileSystem {
  /// Whether this process may read a file, as the kernel judges it.
  ///
  /// - SeeAlso: faccessat(2) AT_EACCESS
  package static func mayRead(_ path: FilePath) -> Bool {
    unsafe path.withCString { unsafe faccessat(AT_FDCWD, $0, R_OK, AT_EACCESS) == 0 }
  }
}
