import Glibc

extension Environment {
  /// Takes a variable out of this process's environment.
  ///
  /// Not while another thread reads it: the C library does not protect that.
  /// - SeeAlso: unsetenv(3)
  package static func remove(_ name: String) { _ = unsafe unsetenv(name) }
}
