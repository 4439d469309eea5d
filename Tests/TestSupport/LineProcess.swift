package import LinuxSystem

/// A program that is told lines and says lines; killed and reaped when the value ends.
package final class LineProcess: Sendable {
  fileprivate struct State {
    var bytes: [UInt8] = []
    /// Lines that were expected already.
    var taken = 0
    var isClosed = false
  }
  private final class Log: Sendable { let state = Mutex(State()) }

  private let process: ChildProcess
  private let input: Mutex<SharedDescriptor?>
  private let log = Log()

  package var pid: Int32 { process.pid }

  /// Starts it; its errors go where ours do, unless they are to be among its lines.
  package init(
    _ program: FilePath,
    _ arguments: [String] = [],
    environment: [String],
    withErrors: Bool = false
  ) throws {
    Signal.pipe.ignore()
    let orders = try Descriptor.pipe()
    let lines = try Descriptor.pipe()
    process = try ChildProcess(
      program,
      arguments,
      environment: environment,
      input: orders.reading.number,
      output: lines.writing.number,
      error: withErrors ? lines.writing.number : -1
    )
    input = Mutex(orders.writing)
    let (source, log) = (lines.reading, log)
    try BlockingThread.start("lines") {
      // A failed read is the end of the program as well.
      while let part = try? source.with({ file throws(SystemError) in
        try file.read(upTo: 65536)
      }), !part.isEmpty {
        log.state.withLock { $0.bytes += part }
      }
      log.state.withLock { $0.isClosed = true }
    }
  }

  package func send(_ line: String) throws {
    let input = input.withLock { $0 }
    try input?.with { file throws(SystemError) in try file.write(Array("\(line)\n".utf8)) }
  }

  /// All complete lines so far.
  package var lines: [String] { log.state.withLock { $0.lines } }

  /// Whether it has said its last word: it ended, and all of it was read.
  package var isClosed: Bool { log.state.withLock { $0.isClosed } }

  /// Waits for the next line that begins so, after those that were expected before; it comes without
  /// the beginning.
  @discardableResult
  package func expect(
    _ beginning: String,
    within limit: Duration = TestLimits.positive
  ) async throws -> String {
    try await eventually(
      "'\(beginning)…' from \(pid)\n\(lines.joined(separator: "\n"))",
      within: limit
    ) {
      try log.state.withLock { state -> String? in
        let lines = state.lines
        for at in state.taken..<max(state.taken, lines.count) where lines[at].hasPrefix(beginning) {
          state.taken = at + 1
          return String(lines[at].dropFirst(beginning.count))
        }
        if state.isClosed {
          throw NotInTime("no '\(beginning)' before the end:\n\(lines.joined(separator: "\n"))")
        }
        return nil
      }
    }
  }

  /// Sends a line and waits for the one that answers it.
  package func ask(_ line: String, _ beginning: String) async throws -> String {
    try send(line)
    return try await expect(beginning)
  }

  package func send(_ signal: Signal) { process.send(signal) }

  /// Stops it (SIGSTOP) and waits until the kernel says that it is.
  package func stop() async throws { try await process.stop() }

  /// Closes its input and waits until it ended.
  @discardableResult
  package func end(within limit: Duration = TestLimits.positive) async throws -> ChildProcess.End {
    input.withLock { $0 = nil }
    return try await eventually("the end of \(pid)", within: limit, value: { process.poll() })
  }

  /// Kills it; returns once it is gone.
  @discardableResult
  package func kill() -> ChildProcess.End {
    process.send(.kill)
    return process.wait()
  }
}

extension LineProcess.State {
  fileprivate var lines: [String] {
    let whole = bytes.lastIndex(of: 0x0a).map { bytes[..<$0] } ?? []
    if whole.isEmpty { return bytes.contains(0x0a) ? [""] : [] }
    return whole.split(separator: 0x0a, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ChildProcess {
  /// Stops it (SIGSTOP) and waits until the kernel says that it is.
  func stop() async throws {
    send(.stop)
    let identity = ProcessIdentity(of: pid)
    try await eventually("\(pid) stopped") { identity?.state == .stopped }
  }
}
