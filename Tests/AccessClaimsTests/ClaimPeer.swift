import LinuxSystem
import TestSupport

/// Another process that claims: `claims-peer`, one command per line.
///
/// Killed and reaped when the value ends.
final class ClaimPeer: Sendable {
  private struct State {
    var lines: [String] = []
    var taken: Set<Int> = []
  }
  private let process: ChildProcess
  private let input: SharedDescriptor
  private let state: SharedState

  private final class SharedState: Sendable {
    let state = Mutex(State())
  }

  var pid: Int32 { process.pid }
  var identity: ProcessIdentity? { ProcessIdentity(of: process.pid) }

  init(_ world: ClaimWorld, environment: [String]? = nil) async throws {
    Signal.pipe.ignore()
    let (commandsIn, commandsOut) = try Descriptor.pipe()
    let (eventsIn, eventsOut) = try Descriptor.pipe()
    process = try ChildProcess(
      try World.product("claims-peer"),
      [world.runtime.description],
      environment: environment,
      input: commandsIn.number,
      output: eventsOut.number
    )
    input = commandsOut
    let state = SharedState()
    self.state = state
    try BlockingThread.start("claim-peer") { Self.fill(state, from: eventsIn) }
    try await eventually("ready") { state.state.withLock { $0.lines.first == "ready" } }
  }

  private static func fill(_ shared: SharedState, from events: SharedDescriptor) {
    var rest: [UInt8] = []
    while true {
      let bytes = events.with { descriptor in
        // A peer that is gone reads like one that ended.
        (try? descriptor.read(upTo: 4096)) ?? []
      }
      if bytes.isEmpty { return }
      rest += bytes
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeFirst(end + 1)
        shared.state.withLock { $0.lines.append(line) }
      }
    }
  }

  func tell(_ command: String) throws {
    try input.with { descriptor throws(SystemError) in
      try descriptor.write(Array((command + "\n").utf8))
    }
  }

  /// Waits for a line that begins so and was not waited for before.
  @discardableResult
  func expect(_ start: String) async throws -> String {
    do {
      return try await eventually("peer: \(start)", value: { take(start) })
    } catch {
      throw NotInTime("no \(start) among \(lines)")
    }
  }

  /// Whether no such line comes for a short while.
  func stays(without start: String) async throws -> Bool {
    try await never {
      state.state.withLock { state in
        state.lines.indices.contains {
          !state.taken.contains($0) && state.lines[$0].hasPrefix(start)
        }
      }
    }
  }

  var lines: [String] { state.state.withLock { $0.lines } }

  private func take(_ start: String) -> String? {
    state.state.withLock { state in
      for at in state.lines.indices
      where !state.taken.contains(at) && state.lines[at].hasPrefix(start) {
        state.taken.insert(at)
        return state.lines[at]
      }
      return nil
    }
  }

  func stop() async throws {
    process.send(.stop)
    let identity = identity
    try await eventually("stopped") { identity?.state == .stopped }
  }

  func resume() { process.send(.continue) }
  func send(_ signal: Signal) { process.send(signal) }

  func kill() {
    process.send(.kill)
    process.wait()
  }
}
