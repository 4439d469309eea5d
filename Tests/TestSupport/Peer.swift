import Foundation
package import LinuxSystem
package import PeerScript

/// Another process that coordinates: `coordination-peer`, told what to do step by step.
///
/// Killed and reaped when the value ends.
package final class Peer: Sendable {
  package let name: String
  private let process: ChildProcess
  private let input: Mutex<SharedDescriptor?>
  private let log: PeerLog
  private let encoder = JSONEncoder()
  /// Its world's directory is there for as long as the peer is.
  private let place: TemporaryDirectory

  package var pid: Int32 { process.pid }

  init(
    name: String,
    in place: TemporaryDirectory,
    program: FilePath,
    arguments: [String],
    environment: [String]
  ) throws {
    // A peer that was killed must not take the tests with it.
    Signal.pipe.ignore()
    self.name = name
    self.place = place
    let (commandsIn, commandsOut) = try Descriptor.pipe()
    let (eventsIn, eventsOut) = try Descriptor.pipe()
    process = try ChildProcess(
      program,
      arguments,
      environment: environment,
      input: commandsIn.number,
      output: eventsOut.number
    )
    input = Mutex(commandsOut)
    let log = PeerLog(name)
    self.log = log
    try BlockingThread.start("peer-\(name)") { log.fill(from: eventsIn) }
  }

  deinit { process.send(.kill) }

  // MARK: commands

  /// Starts `steps` under a tag; they run on a thread of the peer's own.
  package func start(_ tag: String, _ steps: Step...) throws { try start(tag, steps) }

  package func start(_ tag: String, _ steps: [Step]) throws {
    var line = try encoder.encode(Command(tag: tag, steps: steps))
    line.append(0x0a)
    let input = input.withLock { $0 }
    try input?.with { descriptor throws(SystemError) in try descriptor.write(line) }
  }

  /// Runs `steps` and waits until all have ended.
  @discardableResult
  package func run(_ tag: String, _ steps: Step...) async throws -> [PeerEvent] {
    try start(tag, steps)
    try await expect(tag, "finished")
    return events(tag)
  }

  /// Gives a signal that a step waits for, or will.
  package func signal(_ name: String) throws { try start("signal", [.signal(name)]) }

  // MARK: events

  /// Waits for the next event of this tag and name that was not expected before.
  @discardableResult
  package func expect(
    _ tag: String,
    _ name: String,
    within limit: Duration = TestLimits.positive
  ) async throws -> PeerEvent {
    let deadline = MonotonicInstant.now + limit
    while true {
      if let event = log.take(tag, name) { return event }
      if log.isClosed, log.take(tag, name) == nil {
        throw NotInTime("\(self.name) ended before \(tag) \(name)\n\(timeline)")
      }
      if MonotonicInstant.now >= deadline {
        throw NotInTime("\(self.name): no \(tag) \(name) within \(limit)\n\(timeline)")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  /// Whether no such event, beyond those that were expected, comes for a short while.
  package func stays(
    without tag: String,
    _ name: String,
    for duration: Duration = TestLimits.negative
  ) async throws -> Bool {
    try await never(for: duration) { log.peek(tag, name) }
  }

  /// All events so far, of one tag and name where given.
  package func events(_ tag: String? = nil, _ name: String? = nil) -> [PeerEvent] {
    log.all.filter { (tag == nil || $0.tag == tag) && (name == nil || $0.name == name) }
  }

  /// What happened so far, for people.
  package var timeline: String { log.all.map { "  \($0)" }.joined(separator: "\n") }

  // MARK: the process

  package func send(_ signal: Signal) { process.send(signal) }

  /// Stops it (SIGSTOP) and waits until the kernel says that it is.
  package func stop() async throws { try await process.stop() }

  package func resume() { process.send(.continue) }

  /// Kills it; returns once it is gone.
  @discardableResult
  package func kill() -> ChildProcess.End {
    process.send(.kill)
    return process.wait()
  }

  /// Closes its standard input, upon which it ends by itself, and waits for that.
  @discardableResult
  package func quit() async throws -> ChildProcess.End {
    input.withLock { $0 = nil }
    return try await eventually("\(name) ended", value: { process.poll() })
  }

  /// How it ended, nil while it runs.
  package var end: ChildProcess.End? { process.poll() }
}
