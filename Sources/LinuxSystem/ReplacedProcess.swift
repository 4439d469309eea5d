import CLinux
import Glibc

/// A program that takes this process over.
package enum ReplacedProcess {
  /// Runs `program` in this process from its beginning, with our environment; returns only to throw.
  ///
  /// What is not close-on-exec stays open, all other threads end. To be called before this program set
  /// anything up that it would have to put back.
  /// - Throws: what execve(2) reports: ENOENT, EACCES and the like.
  package static func run(_ program: FilePath, _ arguments: [String]) throws(SystemError) -> Never {
    let words = CStrings([program.description] + arguments)
    let code = withExtendedLifetime(words) {
      unsafe program.withCString { path in
        _ = unsafe execve(path, words.pointers, environ)
        return cl_errno()
      }
    }
    throw SystemError("execve", code, on: program.description)
  }
}
