import CLinux

/// Wakes parked threads at their time: one thread of ours, which sleeps when there is nobody to wake.
///
/// Setting an alarm costs a list entry and no system call while the thread is up anyway: most waits
/// end long before their alarm. After the last one it stays up for two more seconds.
enum Alarms {
  private struct Entry {
    let number: UInt64
    let when: UInt64
    let parker: ThreadParker
  }
  private struct State {
    var generation: UInt32 = 0
    var entries: [Entry] = []
    var last: UInt64 = 0
    /// When the thread looks again; 0: there is none, or it sleeps without limit.
    var nextLook: UInt64 = 0
    var sleeper: ThreadParker?
  }
  private static let state = Mutex(State())
  private static let linger: UInt64 = 2_000_000_000

  /// Has `parker` woken at `when`, unless ``cancel(_:)`` comes first; 0 if no thread can be had.
  static func set(_ when: MonotonicInstant, for parker: ThreadParker) -> UInt64 {
    let (number, isNew, sleeper) = state.withLock { state -> (UInt64, Bool, ThreadParker?) in
      if state.generation != ForkGeneration.current {
        // A forked child has neither the thread nor the waits of its parent.
        state = State(generation: ForkGeneration.current)
      }
      state.last += 1
      state.entries.append(Entry(number: state.last, when: when.nanoseconds, parker: parker))
      let isUp = state.nextLook != 0 && state.nextLook <= when.nanoseconds
      if isUp { return (state.last, false, nil) }
      state.nextLook = when.nanoseconds
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

  /// Takes an alarm back.
  static func cancel(_ number: UInt64) {
    state.withLock { state in
      if let index = state.entries.lastIndex(where: { $0.number == number }) {
        state.entries.remove(at: index)
      }
    }
  }

  private static func run(_ sleeper: ThreadParker) {
    while true {
      let now = MonotonicInstant.now.nanoseconds
      let (due, next) = state.withLock { state -> ([ThreadParker], UInt64) in
        let due = state.entries.filter { $0.when <= now }.map(\.parker)
        state.entries.removeAll { $0.when <= now }
        let earliest = state.entries.map(\.when).min()
        if let earliest {
          state.nextLook = min(earliest, now + linger)
        } else {
          // Once more after a while without anybody: then without limit.
          state.nextLook = state.nextLook != 0 && due.isEmpty && state.nextLook <= now ? 0 : now + linger
        }
        return (due, state.nextLook)
      }
      for parker in due { parker.wake() }
      sleeper.wait(until: next == 0 ? nil : MonotonicInstant(nanoseconds: next))
    }
  }
}
