import BenchmarkHarness
import Foundation
import LinuxSystem

/// A program that is told lines and says lines.
final class LineProgram {
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private var rest = Data()

  init(_ program: String, _ arguments: [String], _ environment: [String: String]) throws {
    process = Program.prepare(program, arguments, environment: environment)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Its next line; blocks.
  func line() throws -> String {
    while true {
      if let end = rest.firstIndex(of: 0x0a) {
        defer { rest = Data(rest[(end + 1)...]) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      let part = output.fileHandleForReading.availableData
      if part.isEmpty {
        throw MeasurementError("\(process.executableURL?.path ?? "?") ended")
      }
      rest += part
    }
  }

  /// From now on nobody listens to it.
  func ignoreOutput() {
    output.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  func say(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  func kill() {
    output.fileHandleForReading.readabilityHandler = nil
    // It may have inherited that SIGTERM is blocked.
    Signal.kill.send(to: process.processIdentifier)
    process.waitUntilExit()
  }
}
