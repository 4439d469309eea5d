package import LinuxSystem
import Synchronization

/// One claim of one process; no later claim of any process has the same.
package struct ClaimID: Hashable, Sendable, CustomStringConvertible {
  package let process: ProcessIdentity
  /// Counts the claims of the process, from 1.
  package let number: UInt64

  package init(process: ProcessIdentity, number: UInt64) {
    self.process = process
    self.number = number
  }

  /// The next one of this process.
  package static func next() -> ClaimID {
    ClaimID(process: Self.process, number: nextNumber())
  }

  /// The next number of this process.
  package static func nextNumber() -> UInt64 { numbers.add(1, ordering: .relaxed).newValue }

  private static let numbers = Atomic<UInt64>(0)
  private static let processes = PerProcess<ProcessIdentity?>(nil)

  private static var process: ProcessIdentity {
    processes.withLock { process in
      if let process { return process }
      let current = ProcessIdentity.current
      process = current
      return current
    }
  }

  package var description: String { "claim \(number) of \(process)" }
}
