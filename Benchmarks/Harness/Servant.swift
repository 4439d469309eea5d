import Foundation

/// A child process that does what a line on its standard input says and answers with a line.
///
/// Kept over many rounds, so that two of them can be measured in turn without starting anything in
/// between.
package final class Servant {
  private let process: Process
  private let commands = Pipe()
  private let answers = Pipe()
  private let complaints = TemporaryText()
  private var pending = Data()

  /// Starts `program`, which ends when its standard input does.
  package init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
    process = Program.prepare(program, arguments, environment: environment)
    process.standardInput = commands
    process.standardOutput = answers
    process.standardError = complaints.handle
    try process.run()
  }

  deinit {
    // The end of its input ends it; one that hangs is killed.
    try? commands.fileHandleForWriting.close()
    let limit = Date().addingTimeInterval(3)
    while process.isRunning, Date() < limit { Floors.sleep(nanoseconds: 2_000_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// Sends words and waits for the numbers of the answer.
  ///
  /// - Throws: ``MeasurementError`` with the servant's own words when it says `error` or ends.
  package func ask(_ words: String...) throws -> [Double] {
    let line = words.joined(separator: "\t") + "\n"
    try commands.fileHandleForWriting.write(contentsOf: Data(line.utf8))
    let answer = try readLine()
    if answer.hasPrefix("error") { throw MeasurementError(String(answer.dropFirst(6))) }
    return answer.split(separator: " ").compactMap { Double($0) }
  }

  private func readLine() throws -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending = Data(pending[pending.index(after: end)...])
        return line
      }
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { throw MeasurementError("a helper process ended: \(complaints.text)") }
      pending.append(more)
    }
  }

  /// The servant's side: answers lines until there are none.
  ///
  /// Blocks. `answer` gets the words of a line; what it throws is sent as an `error`.
  package static func serve(_ answer: ([String]) throws -> [Double]) {
    Floors.dieWithParent()
    while let line = Swift.readLine() {
      var reply: String
      do {
        let words = line.split(separator: "\t").map(String.init)
        reply = try answer(words).map { "\($0)" }.joined(separator: " ")
      } catch {
        reply = "error \(error)".replacing("\n", with: " ")
      }
      reply += "\n"
      // A parent that is gone needs no answer: the next line is not there either.
      try? FileHandle.standardOutput.write(contentsOf: Data(reply.utf8))
    }
  }
}
