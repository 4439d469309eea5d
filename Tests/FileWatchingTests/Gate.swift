import LinuxSystem
import Synchronization

/// Holds a thread up until it is opened.
final class Gate: Sendable {
  private let isOpen = Atomic<Bool>(false)
  private let point: WaitPoint?

  init() { point = try? WaitPoint() }  // without one the gate is open

  func open() {
    isOpen.store(true, ordering: .releasing)
    point?.wake()
  }

  func wait() {
    while let point, !isOpen.load(ordering: .acquiring) { _ = point.wait(until: nil) }
  }
}
