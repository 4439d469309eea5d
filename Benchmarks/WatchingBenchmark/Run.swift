import BenchmarkHarness
import Foundation

/// Measures everything that must be reached, and the peers beside it.
struct Run {
  private let settings: Settings
  private let session: Session

  init(_ settings: Settings) throws {
    self.settings = settings
    session = try Session(settings)
  }

  /// Prints a row for each bar and each peer; 0, or 1 where something does not hold and `--check` asked.
  func run() throws -> Int32 {
    let machine = Machine.current
    note("\(machine.summary); \(session.work.fileSystem), \(machine.date)")
    for (name, why) in session.peers.missing.sorted(by: { $0.key < $1.key }) {
      note("not measured: \(name) (\(why))")
    }
    var results = Results()
    for measurement in measurements
    where measurement.measures.contains(where: { $0.hasPrefix(settings.only ?? "") }) {
      do {
        results.add(try measurement.measure(in: session, note))
      } catch {
        note("\(error)")
        results.add(Results(bars: measurement.measures.map(Bar.notMeasured)))
      }
    }
    try print(results, machine)
    return settings.isCheck && !results.bars.allSatisfy(\.holds) ? 1 : 0
  }

  private var measurements: [any Measurement] {
    [
      LatencyMeasurement(), CreationMeasurement(), StormMeasurement(), TreeMeasurement(),
      ClaimMeasurement(),
    ]
  }

  private func note(_ text: String) { Terminal.complain(text) }

  private func print(_ results: Results, _ machine: Machine) throws {
    if let html = settings.html {
      try HTMLPage(results, machine, session.peers.missing, settings.command).write(to: html)
    }
    if settings.isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      for bar in results.bars {
        Terminal.say(String(decoding: try encoder.encode(bar), as: UTF8.self))
      }
      for row in results.rows {
        Terminal.say(String(decoding: try encoder.encode(row), as: UTF8.self))
      }
      return
    }
    var bars = TextTable(["measure", "value", "unit", "bar", "holds"])
    for bar in results.bars { bars.add(bar.cells) }
    Terminal.say(bars.text)
    if results.rows.isEmpty { return }
    var rows = TextTable(["what", "watcher", "median", "p99"])
    for row in results.rows { rows.add(row.cells) }
    Terminal.say("\n" + rows.text)
  }
}

/// Measures rows of the table of what must be reached.
protocol Measurement: Sendable {
  /// Their names.
  var measures: [String] { get }
  /// Measures; details for people go to `note`.
  func measure(in session: Session, _ note: (String) -> Void) throws -> Results
}

/// What was measured: bars, and figures of watchers beside each other.
struct Results {
  var bars: [Bar] = []
  var rows: [Row] = []

  mutating func add(_ more: Results) {
    bars += more.bars
    rows += more.rows
  }
}

/// One watcher's figure.
struct Row: Encodable, Sendable {
  let what: String
  let watcher: String
  /// Nanoseconds.
  let median: Double
  let p99: Double?

  var cells: [String] { [what, watcher, Figure.time(median), Figure.time(p99)] }
}

extension Bar {
  /// A bar that could not be measured, and so does not hold.
  static func notMeasured(_ measure: String) -> Bar {
    Bar(measure: measure, value: .nan, unit: "not measured", limit: .atMost(0))
  }
}
