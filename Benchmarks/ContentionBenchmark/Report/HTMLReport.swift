import BenchmarkHarness
import Foundation

/// The findings as one page that fetches nothing: tables, and charts that gnuplot drew as SVG.
struct HTMLReport {
  private let findings: Findings
  private let gnuplot: Gnuplot?

  init(_ findings: Findings) {
    self.findings = findings
    gnuplot = Gnuplot()
  }

  /// Writes the page, replacing what stands at `path`.
  func write(to path: String) throws {
    try page.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private var page: String {
    get throws {
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Contention benchmark</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <main>
      <h1>Sharing files between processes: contention benchmark</h1>
      \(facts)
      \(try findings.settings.workloads.map(section).joined(separator: "\n"))
      \(locks)
      \(missing)
      </main>
      </body>
      </html>

      """
    }
  }

  private var facts: String {
    let cells = findings.facts.map {
      "<dt>\(escaped($0.0))</dt><dd>\($0.0 == "command" ? code($0.1) : escaped($0.1))</dd>"
    }
    let hint =
      gnuplot == nil
      ? "<p class=\"hint\">The charts are missing: gnuplot draws them, which is not installed "
        + "(on Debian: <code>apt-get install gnuplot-nox</code>).</p>" : ""
    return "<dl>\(cells.joined())</dl>\n\(hint)"
  }

  private func section(_ workload: Workload) throws -> String {
    let figures = try ChartBook(findings).charts(workload).enumerated().map { index, chart in
      try figure(chart, id: "\(workload.rawValue)-\(index)-")
    }
    return """
      <section>
      <h2>\(escaped(workload.title))</h2>
      <p>\(escaped(workload.explanation(findings.settings)))</p>
      \(figures.joined(separator: "\n"))
      \(table(ResultTable(workload, findings)))
      </section>
      """
  }

  private func figure(_ chart: Chart, id: String) throws -> String {
    guard let picture = try gnuplot?.draw(chart, id: id), !picture.isEmpty else { return "" }
    let legend =
      chart.shape == .bars
      ? []
      : chart.series.enumerated().map { index, name in
        "<span style=\"color: var(\(Chart.inks[index].variable))\">\(Chart.symbols[index])</span> "
          + escaped(name)
      }
    return """
      <figure>
      <figcaption><b>\(escaped(chart.title))</b> \(legend.joined(separator: " &nbsp; "))</figcaption>
      \(picture)
      </figure>
      """
  }

  private func table(_ table: ResultTable) -> String {
    let head = table.header.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    let rows = table.rows.map { line in
      let cells = line.cells.enumerated().map { index, cell in
        let rest = index == line.cells.count - 1 ? table.header.count - index : 1
        let span = rest > 1 ? " colspan=\"\(rest)\"" : ""
        return index == 0
          ? "<th scope=\"row\">\(escaped(cell))</th>"
          : "<td\(span)\(line.faults.contains(index) ? " class=\"fault\"" : "")>\(escaped(cell))</td>"
      }
      return "<tr\(line.isOurs ? " class=\"ours\"" : "")>\(cells.joined())</tr>"
    }
    return """
      <div class="scroll"><table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table></div>
      """
  }

  private var locks: String {
    let items = findings.backends.map {
      "<dt><code>\(escaped($0.name))</code></dt><dd>\(escaped($0.summary))</dd>"
    }
    return "<section><h2>The locks</h2><dl>\(items.joined())</dl></section>"
  }

  private var missing: String {
    guard !findings.missing.isEmpty else { return "" }
    let items = findings.missing.map {
      "<dt><code>\(escaped($0.name))</code></dt><dd>\(escaped($0.why))</dd>"
    }
    return "<section><h2>Not measured</h2><dl>\(items.joined())</dl></section>"
  }

  private func code(_ text: String) -> String { "<code>\(escaped(text))</code>" }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// Colours that can be told apart by day, by night and by who sees few of them.
  private static let style = """
    :root {
      --page: #ffffff; --card: #f6f7f9; --line: #dfe3e8; --accent-soft: #e8f1fc; --warn: #b3261e;
      --ink-text: #1c2228; --ink-muted: #56616d; --ink-faint: #d5dae0;
      --ink-ours: #0b66c3; --ink-other: #9aa7b5;
      --ink-first: #0b66c3; --ink-second: #c4660a; --ink-third: #7a4fb5;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #14181d; --card: #1c2229; --line: #303843; --accent-soft: #17304d; --warn: #ff8a80;
        --ink-text: #e6eaef; --ink-muted: #9aa6b3; --ink-faint: #38414c;
        --ink-ours: #5aa9f7; --ink-other: #66727f;
        --ink-first: #5aa9f7; --ink-second: #f0a04b; --ink-third: #b999f0;
      }
    }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--page); color: var(--ink-text);
      font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
    main { max-width: 1020px; margin: 0 auto; padding: 2.2rem 1.4rem 4rem; }
    h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 1.2rem; }
    h2 { font-size: 1.25rem; margin: 2.8rem 0 .3rem; }
    p { margin: .2rem 0 1rem; color: var(--ink-muted); max-width: 75ch; }
    dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0;
      padding: 1rem 1.2rem; background: var(--card); border-radius: 10px; }
    dt { color: var(--ink-muted); } dd { margin: 0; overflow-wrap: anywhere; }
    code { font: .92em ui-monospace, "DejaVu Sans Mono", monospace; }
    figure { margin: 0 0 1rem; padding: .6rem .8rem; background: var(--card); border-radius: 10px; }
    figcaption { padding: .2rem .4rem .5rem; color: var(--ink-muted); }
    figcaption b { color: var(--ink-text); margin-right: 1.2rem; font-weight: 600; }
    figure svg { display: block; width: 100%; height: auto; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums;
      font-size: .84rem; white-space: nowrap; }
    th, td { padding: .3rem .5rem; text-align: right; border-bottom: 1px solid var(--line); }
    th:first-child { text-align: left; font-weight: 500; }
    thead th { color: var(--ink-muted); font-weight: 500; }
    tr.ours th, tr.ours td { background: var(--accent-soft); font-weight: 650; }
    td.fault { color: var(--warn); }
    td[colspan] { white-space: normal; text-align: left; }
    .hint { margin-top: 1rem; color: var(--warn); }
    """
}

extension Workload {
  /// The heading of its section.
  var title: String {
    switch self {
    case .uncontended: "Nobody else is there"
    case .exclusive: "Everybody writes"
    case .mixed: "Most read, some write"
    case .starvation: "Readers without a pause and one writer"
    case .handOff: "Handing over"
    }
  }

  /// What is done and what to look for, in one or two sentences.
  func explanation(_ settings: Settings) -> String {
    let hold = Figure.time(Double(settings.hold))
    return switch self {
    case .uncontended:
      "One process takes and gives back an exclusive lock, warm, with nothing inside."
    case .exclusive:
      "\(settings.processes) processes write the same file, \(hold) each time and again at once. "
        + "A fair lock gives all of them the same (least/most near 1) and nobody a long wait."
    case .mixed:
      "\(settings.processes) processes, \(settings.reads) % of their accesses are reads, "
        + "\(hold) each. Readers overlap where the lock has a shared mode; look at how long "
        + "writers wait for it."
    case .starvation:
      "\(max(settings.processes - 1, 1)) processes only read and one only writes, 200 µs each time, "
        + "nobody pauses. A side starves when one of its processes gets less than a tenth of what "
        + "one of the other side gets, or in one of a hundred cases waits ten times as long as the "
        + "other side does and more than 40 ms."
    case .handOff:
      "One process waits, another gives up: from the moment before it does until the first one is "
        + "inside. Locks that poll show their interval here."
    }
  }
}
