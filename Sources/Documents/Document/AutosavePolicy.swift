import Dispatch
import LinuxSystem

/// When documents save by themselves.
///
/// Set ``UIDocument/autosavePolicy`` before documents are opened; a test sets a clock of its own.
public struct AutosavePolicy: Sendable {
  /// How long after the last change; 2 seconds.
  public var quietTime = Duration.seconds(2)
  /// How long after the first unsaved change at most; 15 seconds.
  public var longestDelay = Duration.seconds(15)
  /// How long after the start of the last save at least; 1 second.
  public var shortestInterval = Duration.seconds(1)
  /// How long after a save that failed or was declined: the first time, doubled each time.
  public var firstRetry = Duration.seconds(2)
  /// How long after a save that failed or was declined at most; 60 seconds.
  public var longestRetry = Duration.seconds(60)
  /// Where the time comes from.
  public var clock: any DocumentClock = SystemDocumentClock()
  /// The policy as it is described.
  public init() {}
}

/// The time as documents know it.
public protocol DocumentClock: Sendable {
  /// Time since some moment in the past; never goes backwards.
  var now: Duration { get }
  /// Calls `body` once, on any thread, when ``now`` has reached `time`; returns at once.
  func run(at time: Duration, _ body: @escaping @Sendable () -> Void)
}

/// The time that the machine was awake; timers through Dispatch, so that every main loop does.
public struct SystemDocumentClock: DocumentClock {
  /// The clock.
  public init() {}
  /// Since the machine started.
  public var now: Duration { .nanoseconds(Int64(MonotonicInstant.now.nanoseconds)) }
  /// On a queue of Dispatch.
  public func run(at time: Duration, _ body: @escaping @Sendable () -> Void) {
    let delay = max(Duration.zero, time - now)
    let (seconds, attoseconds) = delay.components
    DispatchQueue.global().asyncAfter(
      deadline: .now() + .seconds(Int(seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000)),
      execute: body
    )
  }
}

/// When the next save of one document is due; decides, and does nothing.
struct AutosaveSchedule: Sendable {
  private var firstChange: Duration?
  private var lastChange: Duration?
  private var lastStart: Duration?
  private var failures = 0
  private var notBefore: Duration?
  /// When the timer rings that was set last; nil: none is set.
  var alarm: Duration?

  mutating func noteChange(at now: Duration) {
    if firstChange == nil { firstChange = now }
    lastChange = now
  }

  mutating func noteClean() {
    firstChange = nil
    lastChange = nil
    notBefore = nil
    failures = 0
  }

  mutating func noteStart(at now: Duration) {
    lastStart = now
    // What changes from now on is a new change.
    firstChange = nil
  }

  mutating func noteFailure(at now: Duration, _ policy: AutosavePolicy) {
    let delay = min(policy.firstRetry * (1 << min(failures, 10)), policy.longestRetry)
    failures += 1
    notBefore = now + delay
    if firstChange == nil { firstChange = now }
    if lastChange == nil { lastChange = now }
  }

  func isPutOff(at now: Duration) -> Bool { notBefore.map { $0 > now } ?? false }

  func due(_ policy: AutosavePolicy) -> Duration? {
    guard let lastChange else { return nil }
    var time = lastChange + policy.quietTime
    if let firstChange { time = min(time, firstChange + policy.longestDelay) }
    if let lastStart { time = max(time, lastStart + policy.shortestInterval) }
    if let notBefore { time = max(time, notBefore) }
    return time
  }
}
