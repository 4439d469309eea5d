import Foundation
import LinuxSystem

/// A result that one thread leaves for another.
// @unchecked because errors are not changed after they were made.
final class DocumentOutcome: @unchecked Sendable {
  private let lock = NSLock()
  private var outcome: Result<Void, any Error>?

  func set(_ outcome: Result<Void, any Error>) { lock.withLock { self.outcome = outcome } }
  func get() throws { try lock.withLock { outcome }?.get() }
}
