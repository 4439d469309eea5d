import BenchmarkHarness
import Foundation
import LinuxSystem

/// A process that watches and prints lines: "ready", then times of the monotonic clock.
final class WatcherProcess {
  private let process: ChildProcess
  private let input: SharedDescriptor
  private let output: SharedDescriptor
  private let point: WaitPoint
  private var pending: [UInt8] = []
  let name: String

  var pid: Int32 { process.pid }

  init(_ program: String, _ arguments: [String], environment: [String]) throws {
    let (commandsIn, commandsOut) = try Descriptor.pipe()
    let (linesIn, linesOut) = try Descriptor.pipe()
    let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
    process = try ChildProcess(
      FilePath(program),
      arguments,
      environment: environment + variables,
      input: commandsIn.number,
      output: linesOut.number
    )
    input = commandsOut
    output = linesIn
    point = try WaitPoint()
    name = arguments.first ?? program
  }

  /// Waits until it watches.
  func waitUntilReady() throws {
    while try line(within: .seconds(60)) != "ready" {}
  }

  /// Says a line to it.
  func say(_ text: String) throws {
    try input.with { descriptor throws(SystemError) in
      try descriptor.write(Array((text + "\n").utf8))
    }
  }

  func send(_ signal: Signal) { process.send(signal) }

  /// The next line.
  ///
  /// - Throws: ``MeasurementError`` when none comes in time or the process has ended.
  func line(within limit: Duration) throws -> String {
    let deadline = MonotonicInstant.now + limit
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      if MonotonicInstant.now >= deadline {
        throw MeasurementError("\(name) said nothing in \(limit)")
      }
      guard !point.wait(until: deadline, alsoReadable: [output.number]).isEmpty else { continue }
      let more = try output.with { descriptor throws(SystemError) in
        try descriptor.read(upTo: 65536)
      }
      if more.isEmpty { throw MeasurementError("\(name) has ended") }
      pending += more
    }
  }

  /// The numbers of the next line.
  func numbers(within limit: Duration) throws -> [Double] {
    try line(within: limit).split(separator: " ").compactMap { Double($0) }
  }

  /// Forgets all lines that are there.
  func drain() throws {
    while !point.wait(until: .now, alsoReadable: [output.number]).isEmpty {
      let more = try output.with { descriptor throws(SystemError) in
        try descriptor.read(upTo: 65536)
      }
      if more.isEmpty { break }
    }
    pending = []
  }
}
