import BenchmarkHarness
import Foundation

/// Counts the system calls of an operation in two runs, of n operations and of twice as many.
///
/// What is more, divided by n, is what one costs. Starting and ending cancel out.
struct Counter {
  private let rounds: Int
  private let strace: String

  /// - Throws: ``MeasurementError`` where strace is not installed.
  init(rounds: Int) throws {
    guard let strace = Program.find("strace") else {
      throw MeasurementError("strace is needed (on Debian: apt-get install strace)")
    }
    self.strace = strace
    self.rounds = rounds
  }

  /// Calls per operation, by name; without those that come less than once in ten operations.
  func count(_ operation: Operation) throws -> [String: Double] {
    let once = try run(operation, rounds)
    let twice = try run(operation, 2 * rounds)
    var calls: [String: Double] = [:]
    for name in Set(once.keys).union(twice.keys) {
      let more = Double((twice[name] ?? 0) - (once[name] ?? 0)) / Double(rounds)
      if abs(more) >= Baseline.noise { calls[name] = (more * 10).rounded() / 10 }
    }
    return calls
  }

  private func run(_ operation: Operation, _ count: Int) throws -> [String: Int] {
    let stage = try Stage(strace: strace)
    do {
      let perform = try operation.prepare(stage)
      try perform(count)
    }
    // All helpers ended with the closure; strace has written its table.
    return try stage.calls
  }
}

/// The processes and files of one count.
final class Stage {
  private let work: WorkDirectory
  private let strace: String
  private let environment: [String: String]
  private let table: String
  /// A file, six levels deep.
  let item: String
  /// A directory for files that have nothing to do with it.
  let unrelated: String

  init(strace: String) throws {
    self.strace = strace
    work = try WorkDirectory()
    environment = ["FILE_COORDINATION_DIR": try work.makeDirectory("runtime")]
    table = "\(work.path)/table"
    item = "\(work.itemDirectory)/item"
    unrelated = try work.makeDirectory("unrelated")
    guard FileManager.default.createFile(atPath: item, contents: nil) else {
      throw MeasurementError("cannot create \(item)")
    }
  }

  /// The process whose calls are counted.
  func traced() throws -> Servant {
    let arguments = ["-f", "-c", "-U", "name,calls", "-o", table, Program.own]
    return try Servant(
      strace,
      arguments + [SystemCallCounts.servantVerb],
      environment: environment
    )
  }

  /// Another process.
  func bystander() throws -> Servant {
    try Servant(Program.own, [SystemCallCounts.servantVerb], environment: environment)
  }

  /// What strace counted, by name.
  var calls: [String: Int] {
    get throws {
      let text = try String(contentsOfFile: table, encoding: .utf8)
      var calls: [String: Int] = [:]
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count == 2, let count = Int(words[1]), words[0] != "total" else { continue }
        calls[String(words[0])] = count
      }
      guard !calls.isEmpty else { throw MeasurementError("strace counted nothing: \(text)") }
      return calls
    }
  }
}
