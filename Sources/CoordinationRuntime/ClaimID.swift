package import LinuxSystem

/// One claim, told apart from every other of every process.
package struct ClaimID: Hashable, Sendable, CustomStringConvertible {
  /// The process that made it.
  package let process: ProcessIdentity
  /// Counts the claims of that process.
  package let number: UInt64

  package init(process: ProcessIdentity, number: UInt64) {
    self.process = process
    self.number = number
  }

  package var description: String { "\(process.pid).\(process.started)/\(number)" }
}
