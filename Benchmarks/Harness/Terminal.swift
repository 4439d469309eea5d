import Foundation

/// What a benchmark says to who called it.
package enum Terminal {
  /// Writes a line to standard output.
  package static func say(_ text: String, terminator: String = "\n") {
    write(text + terminator, to: .standardOutput)
  }

  /// Writes a line to standard error.
  package static func complain(_ text: String) { write(text + "\n", to: .standardError) }

  /// Shows a line that the next one replaces, if standard error is a terminal.
  package static func progress(_ text: String) {
    guard isatty(2) == 1 else { return }
    write("\r\u{1B}[K\(text)", to: .standardError)
  }

  private static func write(_ text: String, to handle: FileHandle) {
    // Nobody is there to read it: nothing to be done about that.
    try? handle.write(contentsOf: Data(text.utf8))
  }
}
