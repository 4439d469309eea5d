import CLinux
import Glibc

extension FileSystem {
  /// Removes an extended attribute; one that is not there is fine.
  ///
  /// - SeeAlso: lremovexattr(2)
  package static func removeAttribute(_ name: String, of path: FilePath) throws(SystemError) {
    do throws(SystemError) {
      _ = try systemCall("lremovexattr", on: path) {
        unsafe path.withCString { unsafe lremovexattr($0, name) }
      }
    } catch  where error.code == .noAttribute || error.code == .notSupported {}
  }
}
