import Glibc

/// The process's standard error, for a diagnostic that no caller can be given.
package enum StandardError {
  /// Writes the text; what cannot be written is dropped, there is nobody left to tell.
  package static func write(_ text: String) {
    var copy = text
    copy.withUTF8 { _ = unsafe Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
