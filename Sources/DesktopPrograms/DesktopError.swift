/// Why something that the desktop was asked for did not happen.
package struct DesktopError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is.
  package enum Code: Sendable {
    /// The entry of the program is not one that may be run.
    case badEntry
    /// The program could not be started, or answered with an error.
    case failed
    /// Nobody is there who could be asked.
    case nobody
  }
  package let code: Code
  /// What was tried, and what went wrong.
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
