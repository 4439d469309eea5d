import BenchmarkHarness
import Foundation

/// Everything a run found out, and where.
struct Findings: Sendable {
  let machine: Machine
  let settings: Settings
  let fileSystem: String
  /// Components of a file's path.
  let depth: Int
  let backends: [Backend]
  let rows: [Row]
  let missing: [Kitchen.Missing]

  /// What holds for all rows, as names and values.
  var facts: [(String, String)] {
    let hold = Figure.time(Double(settings.hold))
    return [
      ("machine", machine.summary), ("date", machine.date), ("command", settings.command),
      ("files", "\(fileSystem), \(depth) levels deep"),
      (
        "contention",
        "\(settings.processes) processes of \(settings.threads) threads, \(settings.files) files, "
          + "\(hold) inside (asleep), no time to think, \(Figure.short(settings.seconds)) s"
      ),
      ("tree presenter", presenter),
    ]
  }

  private var presenter: String {
    switch settings.presenter {
    case .none: "none"
    case .beside: "of a directory beside the files, in another process"
    case .above: "of the directory that holds the files, in another process"
    }
  }

  /// Tables for the terminal.
  var text: String {
    var parts = [facts.map { "\($0.0): \($0.1)" }.joined(separator: "\n")]
    for workload in settings.workloads {
      let table = ResultTable(workload, self)
      var text = TextTable(table.header)
      for row in table.rows { text.add(row.cells) }
      parts.append("\(workload.rawValue)\n\(text.text)")
    }
    if !missing.isEmpty {
      parts.append(missing.map { "\($0.name): \($0.why)" }.joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  /// One object per line: what holds for all, the rows, what is missing.
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let head = Head(
        machine: machine,
        command: settings.command,
        fileSystem: fileSystem,
        pathDepth: depth,
        processes: settings.processes,
        threads: settings.threads,
        files: settings.files,
        reads: settings.reads,
        holdNanoseconds: settings.hold,
        seconds: settings.seconds,
        treePresenter: settings.presenter.rawValue
      )
      var lines = [try encoder.encode(head)]
      lines += try rows.map(encoder.encode)
      lines += try missing.map(encoder.encode)
      return lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
  }

  private struct Head: Encodable {
    let machine: Machine
    let command: String
    let fileSystem: String
    let pathDepth: Int
    let processes: Int
    let threads: Int
    let files: Int
    let reads: Int
    let holdNanoseconds: UInt64
    let seconds: Double
    let treePresenter: String
  }
}
