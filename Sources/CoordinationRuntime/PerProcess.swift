import LinuxSystem

/// State of which every process has its own, also one that was forked without exec.
///
/// A forked child starts from the initial value behind a lock of its own: the parent's may have been
/// held, at the moment of the fork, by a thread that does not exist in the child.
package final class PerProcess<State: Sendable>: Sendable {
  private let initial: State
  /// One per fork generation; the last serves all later ones.
  private let slots: [Slot]

  private final class Slot: Sendable {
    let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
  }

  package init(_ initial: State) {
    self.initial = initial
    slots = (0..<8).map { _ in Slot(initial) }
  }

  /// Runs `body` with the state of this process, one thread at a time.
  package func withLock<R: Sendable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R
  {
    let generation = Int(min(ForkGeneration.current, 7))
    return try slots[generation].state.withLock { state throws(E) in try body(&state) }
  }
}
