import FileCoordination
import LinuxSystem

/// SIGINT, SIGTERM and SIGHUP, turned into what the verb at work wants them to mean.
///
/// Made once, before any other thread. While a verb is at something that must be ended properly the
/// signal runs the verb's actions, and long work looks at ``signal`` from time to time; else it ends
/// the process at once.
final class Interruption: Sendable {
  private struct State {
    var first: Signal?
    var actions: [UInt64: @Sendable (SignalSource.Arrival) -> Void] = [:]
    var next: UInt64 = 0
  }

  /// What blocks the signals; nil where they keep their usual effect.
  let source: SignalSource?
  private let state = Mutex(State())

  /// Takes the signals over and starts a thread that reads them.
  init(takingOver signals: [Signal]) throws {
    let source = try SignalSource(signals)
    self.source = source
    try BlockingThread.start("signals") { [weak self] in
      // A read that fails would fail for ever; the signals then stay blocked until the work ends.
      while let arrival = try? source.next() {
        guard let self else { return }
        self.came(arrival)
      }
    }
  }

  /// One that takes over no signal, for use inside another program.
  init() { source = nil }

  /// The first signal that came, if one did.
  var signal: Signal? { state.withLock { $0.first } }

  /// - Throws: ``CommandFailure`` once a signal came.
  func check() throws {
    if let signal { throw CommandFailure.interrupted(by: signal) }
  }

  /// Runs `body` and, for every signal that comes meanwhile, `action` on the signal thread; at once
  /// if one came before.
  func during<R>(
    _ body: () throws -> R,
    onSignal action: @escaping @Sendable (SignalSource.Arrival) -> Void
  ) rethrows -> R {
    let (key, earlier) = state.withLock { state in
      state.next += 1
      state.actions[state.next] = action
      return (state.next, state.first)
    }
    if let earlier { action(SignalSource.Arrival(signal: earlier, isFromKernel: false)) }
    defer { state.withLock { $0.actions[key] = nil } }
    return try body()
  }

  /// What a signal does; called by the signal thread, and by tests.
  func came(_ arrival: SignalSource.Arrival) {
    let actions = state.withLock { state in
      if state.first == nil { state.first = arrival.signal }
      return Array(state.actions.values)
    }
    // Nobody is at anything that must be brought to an end first.
    if actions.isEmpty, source != nil { Environment.exit(128 + arrival.signal.rawValue) }
    for action in actions { action(arrival) }
  }
}
