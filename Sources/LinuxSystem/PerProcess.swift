// Public for the same reason as `Mutex`, which it holds.

/// State of which every process has its own, also one that was forked without exec.
///
/// A forked child starts from the initial value behind a lock of its own: the parent's may have been
/// held, at the moment of the fork, by a thread that does not exist in the child.
public final class PerProcess<State: Sendable>: Sendable {
  /// One per fork generation; the last serves all later ones.
  @usableFromInline let slots: [Slot]

  @usableFromInline final class Slot: Sendable {
    @usableFromInline let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
  }

  package init(_ initial: State) {
    slots = (0..<8).map { _ in Slot(initial) }
  }

  /// Where the state of this process stands.
  @usableFromInline static var generation: Int { Int(min(ForkGeneration.current, 7)) }

  /// Runs `body` with the state of this process, one thread at a time.
  @inlinable
  public func withLock<R: Sendable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    try slots[Self.generation].state.withLock { state throws(E) in try body(&state) }
  }
}
