import LinuxSystem
import struct Synchronization.Atomic

/// A descriptor of a file that may be read later; there is a limit to how many a process holds.
final class HeldFile: Sendable {
  /// Few enough that a program with the usual 1,024 descriptors does not notice.
  private static let limit = 64
  private static let held = Atomic<Int>(0)

  private let descriptor: Descriptor

  /// Nil: enough are held.
  init?(_ open: () throws(SystemError) -> Descriptor) throws(SystemError) {
    guard Self.held.load(ordering: .relaxed) < Self.limit else { return nil }
    descriptor = try open()
    Self.held.add(1, ordering: .relaxed)
  }

  deinit { Self.held.subtract(1, ordering: .relaxed) }

  func with<R>(_ body: (borrowing Descriptor) throws(SystemError) -> R) throws(SystemError) -> R {
    try body(descriptor)
  }
}
