import BenchmarkHarness

/// Four processes that write one file, 20 µs each time.
struct ExclusiveMeasurement: Measurement {
  private let rounds = 7

  var missing: [Bar] { bars(.nan, .nan, .nan, limit: 20) }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    let (ours, raw) = try Self.pairs(
      session,
      rounds: rounds,
      reads: [0, 0, 0, 0],
      hold: 20_000,
      seconds: 0.8
    )
    note("exclusive, 4 processes: ours \(ours.text), raw flock \(raw.text)")
    let longest = ours.median { Double($0.longest) } / 1e6
    let rawLongest = raw.median { Double($0.longest) } / 1e6
    let ratios = zip(ours, raw).map { $0.throughput / $1.throughput }
    return bars(
      Statistics.median(ratios),
      ours.median(\.fairness),
      longest,
      limit: max(20, rawLongest / 10)
    )
  }

  private func bars(_ ratio: Double, _ fairness: Double, _ longest: Double, limit: Double) -> [Bar]
  {
    [
      Bar(
        measure: "exclusive.throughput",
        value: ratio,
        unit: "x raw flock",
        limit: .atLeast(0.85)
      ),
      Bar(
        measure: "exclusive.fairness",
        value: fairness,
        unit: "least/most of 4 processes",
        limit: .atLeast(0.85)
      ),
      Bar(measure: "exclusive.longest-wait", value: longest, unit: "ms", limit: .atMost(limit)),
    ]
  }

  /// Runs both teams in turn.
  static func pairs(
    _ session: Session,
    rounds: Int,
    reads: [Int],
    hold: UInt64,
    seconds: Double
  ) throws -> (ours: [Outcome], raw: [Outcome]) {
    var ours: [Outcome] = []
    var raw: [Outcome] = []
    for round in 0..<2 * rounds {
      // ours raw raw ours ours raw …
      let isOurs = (round / 2 + round) % 2 == 0
      let team = isOurs ? session.ours : session.raw
      let outcome = try team.contend(reads: reads, hold: hold, seconds: seconds)
      guard outcome.isExclusive else {
        throw MeasurementError(
          "\(team.backend.name): \(outcome.writes.count) writes, the counter says "
            + "\(outcome.counted); \(outcome.violations) overlaps seen"
        )
      }
      if isOurs { ours.append(outcome) } else { raw.append(outcome) }
    }
    return (ours, raw)
  }
}

/// Four processes that mostly read one file, 20 µs each time.
struct MixedMeasurement: Measurement {
  private let rounds = 7

  var missing: [Bar] { bars(.nan, .nan) }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    let (ours, raw) = try ExclusiveMeasurement.pairs(
      session,
      rounds: rounds,
      reads: [95, 95, 95, 95],
      hold: 20_000,
      seconds: 0.8
    )
    note("95 % reads, 4 processes: ours \(ours.text), raw flock \(raw.text)")
    return bars(
      Statistics.median(zip(ours, raw).map { $0.throughput / $1.throughput }),
      ours.median { ($0.writes.percentile(0.99) ?? .nan) / 1e6 }
    )
  }

  private func bars(_ ratio: Double, _ wait: Double) -> [Bar] {
    [
      Bar(measure: "mixed.throughput", value: ratio, unit: "x raw flock", limit: .atLeast(2)),
      Bar(measure: "mixed.writer-p99", value: wait, unit: "ms", limit: .atMost(1)),
    ]
  }
}

/// Three processes that read without a gap, 0.2 ms each time, with and without a writer.
struct StarvationMeasurement: Measurement {
  private let rounds = 7
  private let hold: UInt64 = 200_000

  var missing: [Bar] { bars(.nan, .nan) }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    var with: [Outcome] = []
    var without: [Outcome] = []
    for round in 0..<2 * rounds {
      let hasWriter = (round / 2 + round) % 2 == 0
      let outcome = try session.ours.contend(
        reads: hasWriter ? [100, 100, 100, 0] : [100, 100, 100],
        hold: hold,
        seconds: 0.8
      )
      if hasWriter { with.append(outcome) } else { without.append(outcome) }
    }
    let raw = try session.raw.contend(reads: [100, 100, 100, 0], hold: hold, seconds: 0.8)
    note(
      "3 readers and 1 writer: ours \(with.text), without the writer "
        + "\(Figure.count(without.median(\.readsPerSecond))) reads/s; raw flock \([raw].text)"
    )
    return bars(
      with.median { ($0.writes.percentile(0.99) ?? .nan) / Double(hold) },
      Statistics.median(zip(with, without).map { $0.readsPerSecond / $1.readsPerSecond })
    )
  }

  private func bars(_ wait: Double, _ kept: Double) -> [Bar] {
    [
      Bar(measure: "starvation.writer-p99", value: wait, unit: "x hold", limit: .atMost(5)),
      Bar(
        measure: "starvation.readers-keep",
        value: kept,
        unit: "x reads without the writer",
        limit: .atLeast(0.4)
      ),
    ]
  }
}

/// One waits, one gives up.
struct HandOffMeasurement: Measurement {
  private let rounds = 9

  var missing: [Bar] { [bar(.nan)] }

  func measure(in session: Session, _ note: (String) -> Void) throws -> [Bar] {
    func half(_ team: Team) throws -> Double {
      let waits = try team.handOff(rounds: 80, gap: 1_500_000, seconds: 5)
      return waits.percentile(0.5) ?? .nan
    }
    let figures = try Pairs(
      rounds: rounds,
      ours: { try half(session.ours) },
      floor: { try half(session.raw) }
    )
    note(
      "hand-off p50: \(Figure.time(Statistics.median(figures.ours))), "
        + "raw flock \(Figure.time(Statistics.median(figures.floor)))"
    )
    return [bar(figures.ratio)]
  }

  private func bar(_ value: Double) -> Bar {
    Bar(measure: "hand-off.p50", value: value, unit: "x raw flock", limit: .atMost(3))
  }
}

extension [Outcome] {
  fileprivate func median(_ value: (Outcome) -> Double) -> Double {
    Statistics.median(map(value))
  }

  /// Medians for people.
  fileprivate var text: String {
    let parts = [
      "\(Figure.count(median(\.readsPerSecond)))/s reads",
      "\(Figure.count(median(\.writesPerSecond)))/s writes",
      "least/most \(Figure.short(median(\.fairness)))",
      "writer p99 \(Figure.time(median { $0.writes.percentile(0.99) ?? .nan }))",
      "longest wait \(Figure.time(median { Double($0.longest) }))",
    ]
    return "(\(parts.joined(separator: ", ")))"
  }
}
