import LinuxSystem
import struct Synchronization.Atomic

/// What a monitor's thread runs between reading records and judging them, if anything.
final class Precedence: Sendable {
  /// Asked with every read: a process that only watches has none.
  private let isSet = Atomic<Bool>(false)
  private let state = Mutex<(@Sendable () -> Void)?>(nil)

  var body: (@Sendable () -> Void)? {
    get { state.withLock { $0 } }
    set {
      state.withLock { $0 = newValue }
      isSet.store(newValue != nil, ordering: .sequentiallyConsistent)
    }
  }

  func run() {
    guard isSet.load(ordering: .sequentiallyConsistent) else { return }
    body?()
  }
}
