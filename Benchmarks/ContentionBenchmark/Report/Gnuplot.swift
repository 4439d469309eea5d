import BenchmarkHarness
import Foundation

/// Draws charts as SVG that can stand inside a page.
struct Gnuplot {
  private let program: String

  /// Nil where gnuplot is not installed.
  init?() {
    guard let program = Program.find("gnuplot") else { return nil }
    self.program = program
  }

  /// The picture, with the page's colours and ids that begin with `id`; empty for an empty chart.
  func draw(_ chart: Chart, id: String) throws -> String {
    guard !chart.isEmpty else { return "" }
    let result = try Program.run(program, ["-"], input: chart.script)
    guard result.status == 0, let start = result.output.range(of: "<svg") else {
      throw MeasurementError("gnuplot: \(result.errors)")
    }
    var svg = String(result.output[start.lowerBound...])
      .replacing(/rgb\(\s*0,\s*0,\s*(\d+)\)/) { "rgb(0,0,\($0.output.1))" }
      .replacing("<title>Gnuplot</title>", with: "")
      .replacing(/<desc>.*<\/desc>/, with: "")
      .replacing(" us</tspan>", with: " µs</tspan>")
      .replacing("<svg", with: "<svg role=\"img\" aria-label=\"\(chart.title)\"")
    for ink in Ink.allCases { svg = svg.replacing(ink.drawn, with: "var(\(ink.variable))") }
    // One page holds several pictures: their ids must differ.
    for name in ["gpPt", "gpDot", "gnuplot_canvas", "gnuplot_plot_", "textbox", "greybox"] {
      svg = svg.replacing(name, with: id + name)
    }
    return svg
  }
}
