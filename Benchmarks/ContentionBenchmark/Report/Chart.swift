/// A chart with one line per lock: bars of one series, or dots of several joined by a line.
struct Chart: Sendable {
  /// What is drawn for one lock; nil where there is nothing.
  struct Line: Sendable {
    let label: String
    let isOurs: Bool
    let values: [Double?]
    /// What stands behind the last of them.
    let note: String
  }
  enum Shape: Sendable { case bars, dots }

  let title: String
  /// Names what is measured.
  let axis: String
  /// Stands behind the figures at the axis, after k, m or µ.
  let unit: String
  let shape: Shape
  let isLogarithmic: Bool
  let series: [String]
  let lines: [Line]

  private var drawn: [Line] { lines.filter { $0.values.contains { ($0 ?? 0) > 0 } } }
  /// Whether there is anything to see.
  var isEmpty: Bool { drawn.isEmpty }

  /// What the dots of a series are drawn with.
  static let inks: [Ink] = [.first, .second, .third]
  static let symbols = ["●", "■", "▲"]

  /// The program for gnuplot(1), with the colours of ``Ink`` as placeholders.
  var script: String {
    let lines = drawn
    let height = 56 + 27 * lines.count
    var text = """
      set terminal svg size 860,\(height) dynamic font 'system-ui,sans-serif,13'
      set encoding utf8
      set border 0 linecolor rgb '\(Ink.faint.placeholder)'
      set xlabel "\(quoted(axis))" textcolor rgb '\(Ink.muted.placeholder)'
      set xtics nomirror scale 0 textcolor rgb '\(Ink.muted.placeholder)' format "\(tics)"
      set grid xtics linetype 1 linecolor rgb '\(Ink.faint.placeholder)' linewidth 1
      set lmargin 22
      set rmargin 4
      set tmargin 0.3
      set bmargin 3
      set yrange [\(lines.count).6:0.4]
      set style fill solid 1 noborder
      set key off

      """
    if isLogarithmic { text += "set logscale x\n" }
    text += "set xrange [\(range)]\n"
    let labels = lines.enumerated().map { "\"\(quoted($1.label))\" \($0 + 1)" }
    text += "set ytics nomirror scale 0 textcolor rgb '\(Ink.text.placeholder)' "
    text += "(\(labels.joined(separator: ", ")))\n"
    return text + (shape == .bars ? bars(lines) : dots(lines))
  }

  private var tics: String { unit.isEmpty ? "%.0s%c" : "%.0s %c\(unit)" }

  private var range: String {
    let values = drawn.flatMap { $0.values.compactMap { $0 } }.filter { $0 > 0 }
    let least = values.min() ?? 1
    let most = values.max() ?? 1
    return isLogarithmic ? "\(least / 2):\(most * 6)" : "0:\(most * 1.4)"
  }

  private func bars(_ lines: [Line]) -> String {
    var text = ""
    for isOurs in [true, false] {
      text += "$bars\(isOurs ? 1 : 0) << EOD\n"
      for (index, line) in lines.enumerated() where line.isOurs == isOurs {
        let value = line.values[0] ?? 0
        let low = isLogarithmic ? "1e-9" : "0"
        let middle = Double(index + 1)
        text += "\(value) \(middle) \(low) \(value) \(middle - 0.32) \(middle + 0.32)\n"
      }
      text += "NaN NaN NaN NaN NaN NaN\nEOD\n"
    }
    text += notes(lines)
    return text + """
      plot $bars1 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '\(Ink.ours.placeholder)', \\
        $bars0 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '\(Ink.other.placeholder)', \\
        $notes using 1:2:3 with labels left offset 0.6,0 \\
        textcolor rgb '\(Ink.muted.placeholder)'

      """
  }

  private func dots(_ lines: [Line]) -> String {
    var text = "$lines << EOD\n"
    for (index, line) in lines.enumerated() {
      let values = line.values.compactMap { $0 }.filter { $0 > 0 }
      text += "\(values.min() ?? 1) \(index + 1) \((values.max() ?? 1) - (values.min() ?? 1)) 0\n"
    }
    text += "EOD\n"
    for number in series.indices {
      text += "$series\(number) << EOD\n"
      for (index, line) in lines.enumerated() {
        guard let value = line.values[number], value > 0 else { continue }
        text += "\(value) \(index + 1)\n"
      }
      text += "NaN NaN\nEOD\n"
    }
    text += notes(lines)
    let shapes = [7, 5, 9]
    let plots = series.indices.map { number in
      "$series\(number) using 1:2 with points pointtype \(shapes[number % 3]) pointsize 0.75 "
        + "linecolor rgb '\(Self.inks[number % 3].placeholder)'"
    }
    text += "plot $lines using 1:2:3:4 with vectors nohead linewidth 2 "
    text += "linecolor rgb '\(Ink.faint.placeholder)', \\\n  "
    text += plots.joined(separator: ", \\\n  ")
    text += ", \\\n  $notes using 1:2:3 with labels left offset 1,0 "
    text += "textcolor rgb '\(Ink.muted.placeholder)'\n"
    return text
  }

  private func notes(_ lines: [Line]) -> String {
    var text = "$notes << EOD\n"
    for (index, line) in lines.enumerated() {
      let end = line.values.compactMap { $0 }.max() ?? 0
      text += "\(end) \(index + 1) \"\(quoted(line.note))\"\n"
    }
    return text + "EOD\n"
  }

  private func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}

/// Colours of a chart: gnuplot draws placeholders, the page decides what they are by day and by night.
enum Ink: Int, CaseIterable, Sendable {
  case text = 1
  case muted, faint, ours, other, first, second, third

  /// What gnuplot is told: a blue that nothing else has.
  var placeholder: String { "#0000\(rawValue)0" }
  /// What it writes then.
  var drawn: String { "rgb(0,0,\(rawValue * 16))" }
  /// The name of the page's variable.
  var variable: String { "--ink-\(self)" }
}
