import Foundation
import LinuxSystem

/// A process of the demo: takes orders by line, says by line what it did.
final class DemoMember: Sendable {
  private struct State {
    var answers: [DemoMessage] = []
    var isGone = false
  }
  private let name: String
  private let process: ChildProcess
  private let input: SharedDescriptor
  private let point: WaitPoint
  private let state = Mutex(State())

  /// Starts it; `take` gets every line, on a thread of its own, and what it returns is an answer.
  init(
    _ name: String,
    _ program: FilePath,
    _ arguments: [String],
    _ take: @escaping @Sendable (String) -> DemoMessage?
  ) throws {
    self.name = name
    let orders = try Descriptor.pipe()
    let lines = try Descriptor.pipe()
    process = try ChildProcess(
      program,
      arguments,
      input: orders.reading.number,
      output: lines.writing.number
    )
    input = orders.writing
    let point = try WaitPoint()
    self.point = point
    let reading = lines.reading
    try BlockingThread.start("demo") { [weak self] in
      var rest: [UInt8] = []
      // A pipe that cannot be read any more has ended, for whatever reason.
      while let part = try? reading.with({ try $0.read(upTo: 65536) }), !part.isEmpty {
        rest += part
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
          let line = String(decoding: rest[..<end], as: UTF8.self)
          rest.removeSubrange(...end)
          if let answer = take(line) { self?.state.withLock { $0.answers.append(answer) } }
        }
        point.wake()
      }
      self?.state.withLock { $0.isGone = true }
      point.wake()
    }
  }

  func send(_ line: String) throws {
    let bytes = Array("\(line)\n".utf8)
    try input.with { input in try input.write(bytes) }
  }

  /// Waits for its next answer.
  ///
  /// - Throws: ``CommandFailure`` if it ended, did not answer in 20 seconds, or a signal came.
  func answer(_ interruption: Interruption) throws -> DemoMessage {
    let deadline = MonotonicInstant.now + .seconds(20)
    return try interruption.during({
      while true {
        try interruption.check()
        let (answer, isGone) = state.withLock { state in
          (state.answers.isEmpty ? nil : state.answers.removeFirst(), state.isGone)
        }
        if let answer { return answer }
        if isGone { throw CommandFailure(.failure, "\(name) ended early") }
        if MonotonicInstant.now >= deadline {
          throw CommandFailure(.failure, "\(name) did not answer in 20 seconds")
        }
        _ = point.wait(until: deadline)
      }
    }) { [point] _ in point.wake() }
  }
}
