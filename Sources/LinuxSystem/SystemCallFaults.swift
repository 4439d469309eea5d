import CLinux
import struct Synchronization.Atomic

/// Error numbers that tests force upon the next calls of a name; compiled out of release builds.
///
/// Process-wide rather than task-local: the calls of interest run on threads of ours that carry no
/// task. Tests that force faults therefore run in a process of their own (`coordination-peer`).
package enum SystemCallFaults {
  #if DEBUG
  private static let plan = Mutex<[String: [CInt]]>([:])
  private static let armed = Atomic<Bool>(false)

  /// Makes the next `errors.count` calls named `call` fail with these numbers, in this order.
  ///
  /// A 0 lets that call through.
  package static func force(_ call: String, _ errors: [CInt]) {
    plan.withLock { $0[call, default: []] += errors }
    armed.store(true, ordering: .sequentiallyConsistent)
  }

  /// Forgets every fault that was not met yet.
  package static func clear() {
    plan.withLock { $0 = [:] }
    armed.store(false, ordering: .sequentiallyConsistent)
  }

  static func next(for call: StaticString) -> CInt? {
    guard armed.load(ordering: .relaxed) else { return nil }
    return plan.withLock { plan in
      guard var errors = plan[call.description], !errors.isEmpty else { return nil }
      let first = errors.removeFirst()
      plan[call.description] = errors
      return first == 0 ? nil : first
    }
  }
  #else
  @inline(__always) static func next(for call: StaticString) -> CInt? { nil }
  #endif
}
