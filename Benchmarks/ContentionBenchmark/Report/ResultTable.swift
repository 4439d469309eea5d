import BenchmarkHarness

/// The rows of one workload as cells, for the terminal and for the report.
struct ResultTable: Sendable {
  /// One lock's cells.
  struct Line: Sendable {
    let cells: [String]
    let isOurs: Bool
    /// Which cells show a fault of this lock.
    let faults: Set<Int>
  }

  let header: [String]
  let rows: [Line]

  init(_ workload: Workload, _ findings: Findings) {
    let found = findings.rows.filter { $0.workload == workload }
    let raw = found.first { $0.backend == Backend.raw }
    header = ["lock"] + Self.columns(workload)
    rows = found.map { row in
      let cells =
        row.failure.map { ["failed: \($0)"] } ?? Self.cells(row, raw: raw, workload)
      var faults: Set<Int> = []
      if row.failure != nil || row.excludes == false { faults.insert(cells.count) }
      if let starves = row.starves, starves != "none" { faults.insert(cells.count - 1) }
      return Line(
        cells: [row.backend] + cells,
        isOurs: row.backend == Backend.ours,
        faults: faults
      )
    }
  }

  private static func columns(_ workload: Workload) -> [String] {
    switch workload {
    case .uncontended: ["time of one access", "x flock"]
    case .exclusive:
      ["accesses/s", "x flock", "least/most", "wait p50", "p99", "longest", "excludes"]
    case .mixed:
      [
        "accesses/s", "x flock", "least/most", "read p50", "p99", "longest", "write p50", "p99",
        "longest", "excludes",
      ]
    case .starvation:
      [
        "reads/s", "writes/s", "read p99", "longest", "write p99", "longest", "starves", "excludes",
      ]
    case .handOff: ["p50", "p99", "longest", "x flock"]
    }
  }

  private static func cells(_ row: Row, raw: Row?, _ workload: Workload) -> [String] {
    let reads = times(row.readWait)
    let writes = times(row.writeWait)
    let excludes = [exclusion(row)]
    let throughput =
      [Figure.count(row.operationsPerSecond)]
      + [times(row.operationsPerSecond, raw?.operationsPerSecond)]
      + [row.fairness.map(Figure.short) ?? "-"]
    return switch workload {
    case .uncontended:
      [Figure.time(row.pairNanoseconds), times(row.pairNanoseconds, raw?.pairNanoseconds)]
    case .exclusive: throughput + writes + excludes
    case .mixed: throughput + reads + writes + excludes
    case .starvation:
      [Figure.count(row.readsPerSecond), Figure.count(row.writesPerSecond)]
        + reads.dropFirst() + writes.dropFirst() + [row.starves ?? "-"] + excludes
    case .handOff: writes + [times(row.writeWait?.p50, raw?.writeWait?.p50)]
    }
  }

  private static func times(_ wait: Row.Wait?) -> [String] {
    [Figure.time(wait?.p50), Figure.time(wait?.p99), Figure.time(wait?.max)]
  }

  private static func times(_ value: Double?, _ raw: Double?) -> String {
    guard let value, let raw, raw > 0 else { return "-" }
    return Figure.short(value / raw)
  }

  private static func exclusion(_ row: Row) -> String {
    guard row.excludes == false else { return "yes" }
    let lost = row.lostUpdates ?? 0
    let seen = row.overlaps ?? 0
    return "NO: \(lost) lost, \(seen) seen"
  }
}
