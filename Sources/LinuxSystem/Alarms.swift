/// Runs short actions at their time: one thread of ours, which sleeps while there is nothing to do.
///
/// Setting an alarm costs a list entry, and no system call while the thread is up anyway: most waits
/// end long before their alarm. After the last one it stays up for a moment more.
package enum Alarms {
  private struct Entry: Sendable {
    let number: UInt64
    let when: UInt64
    let action: @Sendable () -> Void
  }
  private struct State {
    var generation: UInt32 = 0
    var entries: [Entry] = []
    var last: UInt64 = 0
    /// When the thread looks again, in the past while it is at work; 0: it sleeps without limit.
    var nextLook: UInt64 = 0
    var sleeper: ThreadParker?
  }
  private static let state = Mutex(State())
  private static let linger: UInt64 = 50_000_000

  /// Has `action` run at `when` on a thread of ours, unless ``cancel(_:)`` comes first.
  ///
  /// The action must not block. A forked child has none of its parent's alarms.
  /// - Returns: what to cancel it by; 0 if no thread can be had.
  package static func set(_ when: MonotonicInstant, _ action: @escaping @Sendable () -> Void)
    -> UInt64
  {
    let when = when.nanoseconds
    let (number, isNew, sleeper) = state.withLock { state -> (UInt64, Bool, ThreadParker?) in
      if state.generation != ForkGeneration.current {
        state = State(generation: ForkGeneration.current)
      }
      state.last += 1
      state.entries.append(Entry(number: state.last, when: when, action: action))
      if state.nextLook != 0, state.nextLook <= when { return (state.last, false, nil) }
      state.nextLook = when
      if let sleeper = state.sleeper { return (state.last, false, sleeper) }
      let sleeper = ThreadParker()
      state.sleeper = sleeper
      return (state.last, true, sleeper)
    }
    guard isNew, let sleeper else {
      sleeper?.wake()
      return number
    }
    do throws(SystemError) {
      try BlockingThread.start("fc-alarms") { run(sleeper) }
      return number
    } catch {
      state.withLock { $0 = State(generation: $0.generation, last: $0.last) }
      return 0
    }
  }

  /// Takes an alarm back, unless its action has begun.
  package static func cancel(_ number: UInt64) {
    state.withLock { state in
      if let index = state.entries.lastIndex(where: { $0.number == number }) {
        state.entries.remove(at: index)
      }
    }
  }

  private static func run(_ sleeper: ThreadParker) {
    var mayRest = false
    while true {
      let now = MonotonicInstant.now.nanoseconds
      let due = state.withLock { state in
        let due = state.entries.filter { $0.when <= now }
        state.entries.removeAll { $0.when <= now }
        return due
      }
      for entry in due { entry.action() }
      if !due.isEmpty { mayRest = false }
      let next = state.withLock { state -> UInt64 in
        if let earliest = state.entries.map(\.when).min() {
          state.nextLook = min(earliest, now + linger)
          mayRest = false
        } else {
          state.nextLook = mayRest ? 0 : now + linger
          mayRest = true
        }
        return state.nextLook
      }
      sleeper.wait(until: next == 0 ? nil : MonotonicInstant(nanoseconds: next))
    }
  }
}
