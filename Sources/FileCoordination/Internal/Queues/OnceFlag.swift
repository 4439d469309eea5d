import Synchronization

/// Something that must happen once, whoever comes first.
final class OnceFlag: Sendable {
  private let isTaken = Atomic<Bool>(false)
  /// True for the first caller only.
  func claim() -> Bool { !isTaken.exchange(true, ordering: .sequentiallyConsistent) }
}
