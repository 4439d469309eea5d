import BenchmarkHarness
import Foundation

/// Measures everything that must be reached, in one run: ours and the floor in turn, several rounds,
/// medians.
struct Check {
  private let settings: Settings
  private let session: Session

  init(_ settings: Settings) throws {
    self.settings = settings
    session = try Session(settings)
  }

  /// Prints one row per bar; returns 0 if all hold, else 1.
  func run() throws -> Int32 {
    let machine = Machine.current
    note("\(machine.summary); \(session.work.fileSystem), \(machine.date)")
    try session.present(settings.presenter)
    var bars: [Bar] = []
    let prefix = settings.only ?? ""
    for measurement in measurements
    where measurement.missing.contains(where: { $0.measure.hasPrefix(prefix) }) {
      do {
        bars += try measurement.measure(in: session, note)
      } catch {
        note("\(error)")
        bars += measurement.missing
      }
    }
    try print(bars)
    return bars.allSatisfy(\.holds) ? 0 : 1
  }

  private var measurements: [any Measurement] {
    [
      UncontendedMeasurement(), UnrelatedPresentersMeasurement(), ExclusiveMeasurement(),
      MixedMeasurement(), StarvationMeasurement(), HandOffMeasurement(), AskMeasurement(),
      PresenterHeapMeasurement(),
    ]
  }

  private func note(_ text: String) { Terminal.complain(text) }

  private func print(_ bars: [Bar]) throws {
    if settings.isJSON {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      for bar in bars {
        Terminal.say(String(decoding: try encoder.encode(bar), as: UTF8.self))
      }
      return
    }
    var table = TextTable(["measure", "value", "unit", "bar", "holds"])
    for bar in bars { table.add(bar.cells) }
    Terminal.say(table.text)
  }
}

/// Measures one row of the table of what must be reached.
protocol Measurement: Sendable {
  /// What it says when it could not measure.
  var missing: [Bar] { get }
  /// Measures; details for people go to `note`.
  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar]
}

extension Session {
  /// The team over our coordinator.
  var ours: Team { team(Backend.ours) }
  /// The team over raw flock(2).
  var raw: Team { team(Backend.raw) }

  private func team(_ name: String) -> Team {
    Team(
      session: self,
      backend: Backend(
        name: name,
        summary: "",
        program: Program.own,
        arguments: [ContentionBenchmark.workerVerb],
        pairs: 0
      )
    )
  }
}
