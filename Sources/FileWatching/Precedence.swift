import LinuxSystem
import struct Synchronization.Atomic

/// What a monitor's thread runs between reading records and judging them, if anything.
final class Precedence: Sendable {
  /// Asked with every read: a process that only watches has none.
  private let isSet = Atomic<Bool>(false)
  /// A function that is itself the value of a lock would be wrapped once more by every access.
  private struct Installed: Sendable {
    let run: @Sendable () -> Void
  }
  private let installed = Mutex<Installed?>(nil)

  var body: (@Sendable () -> Void)? {
    get { installed.withLock { $0 }?.run }
    set {
      installed.withLock { $0 = newValue.map(Installed.init) }
      isSet.store(newValue != nil, ordering: .sequentiallyConsistent)
    }
  }

  func run() {
    guard isSet.load(ordering: .sequentiallyConsistent) else { return }
    body?()
  }
}
