import Foundation
import LinuxSystem

/// Named signals between steps, and from the test: once given, they stay given.
final class Signals: Sendable {
  static let shared = Signals()
  private let condition = Condition()

  func give(_ name: String) { condition.change { $0.insert(name) } }

  /// Blocks the calling thread until the signal was given; false when the time was over before.
  @discardableResult
  func wait(for name: String, atMost seconds: Double? = nil) -> Bool {
    condition.wait(until: seconds.map { Date(timeIntervalSinceNow: $0) }) { $0.contains(name) }
  }
}

/// A set of names under a condition variable.
// @unchecked because the set is only touched while the condition is held.
private final class Condition: @unchecked Sendable {
  private let condition = NSCondition()
  private var names: Set<String> = []

  func change(_ body: (inout Set<String>) -> Void) {
    condition.lock()
    body(&names)
    condition.broadcast()
    condition.unlock()
  }

  func wait(until limit: Date?, _ test: (Set<String>) -> Bool) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while !test(names) {
      if let limit {
        if !condition.wait(until: limit) { return test(names) }
      } else {
        condition.wait()
      }
    }
    return true
  }
}
