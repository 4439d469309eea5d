import BenchmarkHarness
import Foundation

/// The results as one page that fetches nothing.
struct HTMLPage {
  private let results: Results
  private let machine: Machine
  private let missing: [String: String]
  private let command: String

  init(_ results: Results, _ machine: Machine, _ missing: [String: String], _ command: String) {
    self.results = results
    self.machine = machine
    self.missing = missing
    self.command = command
  }

  /// Writes the page, replacing what stands at `path`.
  func write(to path: String) throws {
    try page.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private var page: String {
    let absent = missing.sorted { $0.key < $1.key }
      .map { "<li><code>\(escaped($0.key))</code>: \(escaped($0.value))</li>" }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Watching benchmark</title>
      <style>
      body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; max-width: 60rem; margin: 0 auto;
        padding: 2rem 1.2rem; }
      table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
      th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #8884; }
      th:first-child, td:first-child { text-align: left; }
      .fault { color: #c3423f; font-weight: 650; }
      </style>
      </head>
      <body>
      <h1>How fast changes of files are noticed</h1>
      <p>\(escaped(machine.summary)); \(escaped(machine.date)); <code>\(escaped(command))</code></p>
      <h2>What must be reached</h2>
      \(table(["measure", "value", "unit", "bar", "holds"], results.bars.map(\.cells)))
      <h2>Watchers beside each other</h2>
      \(table(["what", "watcher", "median", "p99"], results.rows.map(\.cells)))
      \(absent.isEmpty ? "" : "<h2>Not measured</h2><ul>\(absent)</ul>")
      </body>
      </html>

      """
  }

  private func table(_ head: [String], _ rows: [[String]]) -> String {
    let lines = rows.map { row in
      let cells = row.map { "<td\($0 == "NO" ? " class=\"fault\"" : "")>\(escaped($0))</td>" }
      return "<tr>\(cells.joined())</tr>"
    }
    let cells = head.map { "<th scope=\"col\">\(escaped($0))</th>" }.joined()
    return "<table><thead><tr>\(cells)</tr></thead><tbody>\n\(lines.joined(separator: "\n"))\n"
      + "</tbody></table>"
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
