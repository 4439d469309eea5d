import BenchmarkHarness

/// An access that nobody disturbs, beside open, flock, unlock and close of one lock file in C.
struct UncontendedMeasurement: Measurement {
  private let rounds = 15
  private let pairs = 1_500

  var missing: [Bar] { ["read", "write"].map { bar($0, .nan) } }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    // Nobody presents anything here: a runtime directory of its own.
    let servant = try session.servant(runtime: try session.work.makeDirectory("runtime-quiet"))
    let path = try session.freshItems(1) + "0"
    return try ["read", "write"].map { kind in
      let figures = try Pairs(
        rounds: rounds,
        ours: { try servant.ask("pair", kind, path, "\(pairs)")[0] },
        floor: { try servant.ask("pair", "floor-\(kind)", path, "\(pairs)")[0] }
      )
      note(
        "uncontended \(kind): \(Figure.time(Statistics.median(figures.ours))), "
          + "open+flock+unlock+close \(Figure.time(Statistics.median(figures.floor)))"
      )
      return bar(kind, figures.ratio)
    }
  }

  private func bar(_ kind: String, _ value: Double) -> Bar {
    Bar(
      measure: "uncontended.\(kind)",
      value: value,
      unit: "x open+flock+unlock+close",
      limit: .atMost(6)
    )
  }
}

/// The same with 10,000 presenters of other files in four other processes.
struct UnrelatedPresentersMeasurement: Measurement {
  private let rounds = 15
  private let pairs = 1_500
  private let processes = 4
  private let presentersOfEach = 2_500

  var missing: [Bar] { ["read", "write"].map { bar($0, .nan) } }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    let quiet = try session.servant(runtime: try session.work.makeDirectory("runtime-quiet"))
    let crowdedRuntime = try session.work.makeDirectory("runtime-crowded")
    let crowded = try session.servant(runtime: crowdedRuntime)
    let path = try session.freshItems(1) + "0"
    let presenters = try (0..<processes).map { index in
      let servant = try session.servant(runtime: crowdedRuntime)
      let directory = try session.work.makeDirectory("unrelated\(index)")
      _ = try servant.ask("present-files", directory, "\(presentersOfEach)")
      return servant
    }
    return try withExtendedLifetime(presenters) {
      try ["read", "write"].map { kind in
        let figures = try Pairs(
          rounds: rounds,
          ours: { try crowded.ask("pair", kind, path, "\(pairs)")[0] },
          floor: { try quiet.ask("pair", kind, path, "\(pairs)")[0] }
        )
        note(
          "uncontended \(kind) with \(processes * presentersOfEach) unrelated presenters: "
            + "\(Figure.time(Statistics.median(figures.ours))), "
            + "without \(Figure.time(Statistics.median(figures.floor)))"
        )
        return bar(kind, figures.ratio)
      }
    }
  }

  private func bar(_ kind: String, _ value: Double) -> Bar {
    Bar(
      measure: "unrelated-presenters.\(kind)",
      value: value,
      unit: "x without presenters",
      limit: .atMost(1.2)
    )
  }
}
