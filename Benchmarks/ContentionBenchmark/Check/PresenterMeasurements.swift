import BenchmarkHarness

/// A read that must ask one presenter in another process to let go and to save.
struct AskMeasurement: Measurement {
  private let rounds = 9
  private let asks = 40
  /// Nanoseconds of rest before every single figure.
  private let gap = 1_000_000

  var missing: [Bar] { [bar(.nan)] }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    let runtime = try session.work.makeDirectory("runtime-ask")
    let items = try session.freshItems(2)
    let socket = "\(session.work.path)/echo"
    let presenter = try session.servant(runtime: runtime)
    _ = try presenter.ask("present-file", items + "0")
    _ = try presenter.ask("echo", socket)
    let asker = try session.servant(runtime: runtime)
    var figures: [[Double]] = []
    for _ in 0..<rounds {
      figures.append(
        try asker.ask("ask", items + "0", items + "1", socket, "\(asks)", "\(gap)")
      )
    }
    guard try presenter.ask("asked") == [1] else {
      throw MeasurementError("the presenter was never asked")
    }
    let parts = (0..<4).map { part in Statistics.median(figures.map { $0[part] }) }
    note(
      "ask: \(Figure.time(parts[0])); socket round trip \(Figure.time(parts[1])), "
        + "hop \(Figure.time(parts[2])), claim \(Figure.time(parts[3]))"
    )
    return [bar(Statistics.median(figures.map { $0[0] / (2 * $0[1] + 3 * $0[2] + $0[3]) }))]
  }

  private func bar(_ value: Double) -> Bar {
    Bar(
      measure: "ask.p50",
      value: value,
      unit: "x (2 round trips + 3 hops + claim)",
      limit: .atMost(1.5)
    )
  }
}

/// What an idle presenter of one file costs, and that thousands fit into a process.
struct PresenterHeapMeasurement: Measurement {
  private let count = 5_000
  private let samples = 50

  var missing: [Bar] { bars(.nan, .nan) }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    let runtime = try session.work.makeDirectory("runtime-heap")
    let directory = try session.work.makeDirectory("shared")
    let presenter = try session.servant(runtime: runtime)
    let figures = try presenter.ask("heap", directory, "\(count)")
    // That they are registered is seen by asking some of them, spread over all.
    let visitor = try session.servant(runtime: runtime)
    for index in 0..<samples {
      _ = try visitor.ask("visit", "\(directory)/file\(index * count / samples)")
    }
    let told = Int(try presenter.ask("asked")[0])
    note(
      "\(Int(figures[1])) presenters of files in one directory, 1,024 descriptors: "
        + "\(Figure.count(figures[0])) bytes each; \(told) of \(samples) asked ones heard it"
    )
    return bars(figures[0], told == samples ? figures[1] : Double(told * count / samples))
  }

  private func bars(_ bytes: Double, _ number: Double) -> [Bar] {
    [
      Bar(
        measure: "presenter.heap",
        value: bytes,
        unit: "bytes per idle presenter",
        limit: .atMost(4_096)
      ),
      Bar(
        measure: "presenter.count",
        value: number,
        unit: "presenters with 1,024 descriptors",
        limit: .atLeast(Double(count))
      ),
    ]
  }
}
