import BenchmarkHarness
import Foundation

/// 20,000 files made in a presented directory: when the last was told.
struct CreationMeasurement: Measurement {
  let measures = ["creation.last", "creation.each-once"]
  private let count = 20_000

  func measure(in session: Session, _ note: (String) -> Void) throws -> Results {
    var ours: [Double] = []
    var library: [Double] = []
    var dispatches: [Double] = []
    var ratios: [Double] = []
    var doubled = 0.0
    for round in 0..<session.rounds {
      func measureOurs() throws {
        let directory = try session.freshDirectory()
        let process = try session.helper("create", directory, "\(count)")
        let numbers = try create(in: directory, session, process)
        ours.append(numbers[0])
        doubled += numbers[2]
      }
      func measureLibrary() throws {
        let directory = try session.freshDirectory()
        let process = try session.peer("libinotifytools", "create", directory, "\(count)")
        library.append(try create(in: directory, session, process)[0])
      }
      if round % 2 == 0 { try measureOurs() }
      try measureLibrary()
      if round % 2 == 1 { try measureOurs() }
      dispatches.append(try session.helper("dispatch", "\(count)").numbers(within: .seconds(20))[0])
      ratios.append(ours[round] / (1.5 * library[round] + dispatches[round]))
    }
    let medians = [ours, library, dispatches].map(Statistics.median)
    note(
      "20,000 files: last told after \(Figure.time(medians[0])), libinotifytools "
        + "\(Figure.time(medians[1])), dispatch alone \(Figure.time(medians[2]))"
    )
    return Results(
      bars: [
        Bar(
          measure: measures[0],
          value: Statistics.median(ratios),
          unit: "x (1.5 libinotifytools + dispatch)",
          limit: .atMost(1)
        ),
        Bar(
          measure: measures[1],
          value: doubled,
          unit: "files told twice",
          limit: .atMost(0)
        ),
      ],
      rows: [
        Row(what: "20,000 files made", watcher: "NSFilePresenter", median: medians[0], p99: nil),
        Row(what: "20,000 files made", watcher: "libinotifytools", median: medians[1], p99: nil),
        Row(what: "20,000 operations", watcher: "OperationQueue", median: medians[2], p99: nil),
      ]
    )
  }

  /// Nanoseconds from the first file until the watcher had all, and what else it said.
  private func create(in directory: String, _ session: Session, _ process: WatcherProcess) throws
    -> [Double]
  {
    try process.waitUntilReady()
    let (program, arguments) = try session.peers.command("create")
    let result = try Program.run(program, arguments + [directory, "\(count)"])
    guard let begin = Double(result.output.split(separator: "\n").first ?? "") else {
      throw MeasurementError("files were not made: \(result.errors)")
    }
    var numbers = try process.numbers(within: .seconds(60))
    numbers[0] -= begin
    try FileManager.default.removeItem(atPath: directory)
    return numbers
  }
}
