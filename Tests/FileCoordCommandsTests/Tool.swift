import Foundation
import LinuxSystem
import TestSupport

/// `filecoord`, or another program, run in the runtime directory and among the files of a world.
///
/// Killed and reaped when the value ends.
final class Tool: Sendable {
  /// How it ended and what it said.
  struct Result: Sendable {
    /// The exit status; 128 and more for a signal, as in a shell.
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  private let process: ChildProcess
  private let input: Mutex<SharedDescriptor?>
  private let output: Stream
  private let errors: Stream

  var pid: Int32 { process.pid }

  init(_ program: FilePath, _ arguments: [String], environment: [String]) throws {
    Signal.pipe.ignore()
    let orders = try Descriptor.pipe()
    let lines = try Descriptor.pipe()
    let faults = try Descriptor.pipe()
    process = try ChildProcess(
      program,
      arguments,
      environment: environment,
      input: orders.reading.number,
      output: lines.writing.number,
      error: faults.writing.number
    )
    input = Mutex(orders.writing)
    output = try Stream(lines.reading)
    errors = try Stream(faults.reading)
  }

  /// Gives it a line to read.
  func send(_ line: String) throws {
    let input = input.withLock { $0 }
    try input?.with { input throws(SystemError) in try input.write(Array("\(line)\n".utf8)) }
  }

  func signal(_ signal: Signal) { process.send(signal) }

  var outputSoFar: String { output.text }
  var linesSoFar: [String] { outputSoFar.split(separator: "\n").map(String.init) }

  /// Waits until a line of its output contains `text`.
  @discardableResult
  func expect(_ text: String) async throws -> String {
    try await eventually("'\(text)' in:\n\(output.text)\n\(errors.text)") {
      linesSoFar.first { $0.contains(text) }
    }
  }

  var hasEnded: Bool { process.poll() != nil }

  /// Waits until it ended and its output with it.
  func end(within limit: Duration = TestLimits.positive) async throws -> Result {
    input.withLock { $0 = nil }
    return try await endWithOpenInput(within: limit)
  }

  /// The same without telling it that there is nothing more to read.
  func endWithOpenInput(within limit: Duration = TestLimits.positive) async throws -> Result {
    let end: ChildProcess.End = try await eventually("the end of pid \(pid)", within: limit) {
      process.poll()
    }
    // A process left behind may hold the pipes open; then what came so far is what there is.
    _ = try? await eventually("the end of its output", within: .seconds(1)) {
      output.isClosed && errors.isClosed
    }
    let status: Int32 =
      switch end {
      case .exited(let status): status
      case .signalled(let number): 128 + number
      }
    return Result(status: status, output: output.text, errors: errors.text)
  }

  private final class Stream: Sendable {
    private struct State {
      var bytes: [UInt8] = []
      var isClosed = false
    }
    private let state = Shared()
    private final class Shared: Sendable { let value = Mutex(State()) }

    init(_ source: SharedDescriptor) throws {
      let state = state
      try BlockingThread.start("stream") {
        while let part = try? source.with({ file throws(SystemError) in
          try file.read(upTo: 65536)
        }), !part.isEmpty {
          state.value.withLock { $0.bytes += part }
        }
        state.value.withLock { $0.isClosed = true }
      }
    }
    var text: String { state.value.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
    var isClosed: Bool { state.value.withLock { $0.isClosed } }
  }
}

extension World {
  /// What a program needs to take part in this world; the shell finds `filecoord`.
  private func environment() throws -> [String] {
    let directory = try World.product("filecoord").parent?.description ?? ""
    return [
      "FILE_COORDINATION_DIR=\(runtime)", "PATH=\(directory):/usr/bin:/bin", "LC_ALL=C.UTF-8",
    ]
      + ["LD_LIBRARY_PATH", "TSAN_OPTIONS", "HOME"].compactMap { name in
        Environment.value(of: name).map { "\(name)=\($0)" }
      }
  }

  /// Starts `filecoord`.
  func start(_ arguments: String...) throws -> Tool {
    try Tool(World.product("filecoord"), arguments, environment: environment())
  }

  /// Runs `filecoord` to its end.
  func filecoord(_ arguments: String...) async throws -> Tool.Result {
    try await Tool(World.product("filecoord"), arguments, environment: environment()).end()
  }

  /// Starts a shell script in the directory of files.
  func startShell(_ script: String, _ arguments: String...) throws -> Tool {
    try Tool(
      FilePath("/bin/sh"),
      ["-c", "cd '\(files)' && \(script)", "sh"] + arguments,
      environment: environment()
    )
  }

  /// Runs a shell script to its end in the directory of files.
  func shell(_ script: String, _ arguments: String...) async throws -> Tool.Result {
    try await Tool(
      FilePath("/bin/sh"),
      ["-c", "cd '\(files)' && \(script)", "sh"] + arguments,
      environment: environment()
    ).end()
  }

  /// Sets a test up by a shell script in the directory of files, which must succeed.
  func prepare(_ script: String) async throws {
    let result = try await shell(script)
    if result.status != 0 { throw NotInTime("\(script): \(result.errors)") }
  }
}
