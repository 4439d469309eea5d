import BenchmarkHarness

/// Which charts show a workload.
struct ChartBook {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  func charts(_ workload: Workload) -> [Chart] {
    let rows = findings.rows.filter { $0.workload == workload && $0.failure == nil }
    switch workload {
    case .uncontended:
      return [
        Chart(
          title: "Time of one access",
          axis: "logarithmic",
          unit: "s",
          shape: .bars,
          isLogarithmic: true,
          series: ["time"],
          lines: rows.map { row in
            line(row, [row.pairNanoseconds.map { $0 / 1e9 }], Figure.time(row.pairNanoseconds))
          }.sorted { ($0.values[0] ?? 0) < ($1.values[0] ?? 0) }
        )
      ]
    case .exclusive, .mixed:
      return [
        throughput(rows),
        waits(
          workload == .exclusive ? "How long an access waits" : "How long a writer waits",
          rows,
          \.writeWait
        ),
      ]
    case .starvation: return [shares(rows)]
    case .handOff: return [waits("From giving up to being inside", rows, \.writeWait)]
    }
  }

  private func line(_ row: Row, _ values: [Double?], _ note: String) -> Chart.Line {
    Chart.Line(
      label: row.backend,
      isOurs: row.backend == Backend.ours,
      values: values,
      note: note
    )
  }

  private func throughput(_ rows: [Row]) -> Chart {
    Chart(
      title: "Accesses per second, of all processes",
      axis: "accesses per second",
      unit: "",
      shape: .bars,
      isLogarithmic: false,
      series: ["accesses"],
      lines: rows.map { row in
        let fairness = row.fairness.map { ", least/most \(Figure.short($0))" } ?? ""
        let wrong = row.excludes == false ? ", does not exclude" : ""
        return line(
          row,
          [row.operationsPerSecond],
          Figure.count(row.operationsPerSecond) + fairness + wrong
        )
      }.sorted { ($0.values[0] ?? 0) > ($1.values[0] ?? 0) }
    )
  }

  private func waits(_ title: String, _ rows: [Row], _ wait: KeyPath<Row, Row.Wait?>) -> Chart {
    Chart(
      title: title,
      axis: "logarithmic",
      unit: "s",
      shape: .dots,
      isLogarithmic: true,
      series: ["p50", "p99", "longest"],
      lines: rows.map { row in
        let found = row[keyPath: wait]
        let times = [found?.p50, found?.p99, found?.max].map { $0.map { max($0, 1) / 1e9 } }
        return line(row, times, Figure.time(found?.max))
      }.sorted { ($0.values[2] ?? 0) < ($1.values[2] ?? 0) }
    )
  }

  private func shares(_ rows: [Row]) -> Chart {
    let readers = Double(max(findings.settings.processes - 1, 1))
    return Chart(
      title: "What one reader and the writer get",
      axis: "accesses per second, logarithmic",
      unit: "",
      shape: .dots,
      isLogarithmic: true,
      series: ["one reader", "the writer"],
      lines: rows.map { row in
        let starves = row.starves ?? "none"
        return line(
          row,
          [row.readsPerSecond.map { $0 / readers }, row.writesPerSecond],
          starves == "none"
            ? ""
            : starves == "both"
              ? "both starve" : "\(starves) starve\(starves == "writer" ? "s" : "")"
        )
      }.sorted { least($0) > least($1) }
    )
  }

  private func least(_ line: Chart.Line) -> Double { line.values.compactMap { $0 }.min() ?? 0 }
}
