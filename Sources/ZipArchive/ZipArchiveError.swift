package import LinuxSystem

/// Why a directory could not be put into an archive.
package struct ZipArchiveError: Error, Sendable, CustomStringConvertible {
  /// What was being read or written.
  package let path: FilePath
  /// The reason, in words.
  package let reason: String
  /// The error number, where a system call failed.
  package let code: Errno?

  init(_ path: FilePath, _ cause: SystemError) {
    self.path = path
    reason = cause.reason
    code = cause.code
  }

  init(_ path: FilePath, reason: String, code: Errno? = nil) {
    self.path = path
    self.reason = reason
    self.code = code
  }

  package var description: String { "\(path) could not be archived: \(reason)" }
}
