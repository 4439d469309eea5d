import TerminalScreen

/// A line as it stands on a screen: what a user takes for one character is one cell, 0 to many columns wide.
package struct TextLine {
  /// One thing that the cursor passes at a time.
  package struct Cell {
    /// Where its bytes are in the line.
    package let bytes: Range<Int>
    /// What is shown for it.
    package let text: String
    /// In which column it begins.
    package let column: Int
    package let width: Int
  }
  package let cells: [Cell]
  /// How many bytes the line has.
  package let count: Int
  /// How many columns it takes.
  package let width: Int

  package init(_ bytes: [UInt8]) {
    count = bytes.count
    var cells: [Cell] = []
    var column = 0
    var offset = 0
    for (text, length) in Self.pieces(bytes) {
      let (shown, width) = Self.appearance(text, column)
      cells.append(
        Cell(bytes: offset..<(offset + length), text: shown, column: column, width: width)
      )
      column += width
      offset += length
    }
    self.cells = cells
    width = column
  }

  /// Characters and the bytes that each takes; bytes that are no UTF-8 one by one.
  private static func pieces(_ bytes: [UInt8]) -> [(String, Int)] {
    if let text = String(validating: bytes, as: UTF8.self) {
      return text.map { (String($0), $0.utf8.count) }
    }
    var pieces: [(String, Int)] = []
    var parser = Unicode.UTF8.ForwardParser()
    var input = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &input) {
      case .valid(let encoded):
        pieces.append((String(Unicode.UTF8.decode(encoded)), encoded.count))
      case .error(let length): pieces.append(("\u{fffd}", length))
      case .emptyInput: return pieces
      }
    }
  }

  private static func appearance(_ text: String, _ column: Int) -> (String, Int) {
    guard let first = text.unicodeScalars.first else { return ("", 0) }
    if first == "\t" {
      let width = 8 - column % 8
      return (String(repeating: " ", count: width), width)
    }
    if first.value < 32 || first.value == 127 {
      return ("^" + String(Unicode.Scalar(UInt8(first.value ^ 64))), 2)
    }
    let widths = text.unicodeScalars.map(TerminalScreen.width(of:))
    guard let own = widths.first, own >= 0 else { return ("\u{fffd}", 1) }
    // A lone mark needs something to stand on.
    if own == 0 { return ("\u{25cc}" + text, 1) }
    let isEmoji = text.unicodeScalars.contains("\u{fe0f}") || (widths.max() ?? 1) > 1
    return (text, isEmoji ? 2 : 1)
  }

  /// The cell that begins at or around a byte; the number of cells for the line's end.
  package func cell(atByte byte: Int) -> Int {
    cells.firstIndex { $0.bytes.upperBound > byte } ?? cells.count
  }

  /// Where a cell's bytes begin; the line's end behind the last.
  package func byte(ofCell cell: Int) -> Int {
    cell < cells.count ? cells[cell].bytes.lowerBound : count
  }

  /// The column in which a cell begins.
  package func column(ofCell cell: Int) -> Int { cell < cells.count ? cells[cell].column : width }

  /// The cell at a column, or the nearest before.
  package func cell(atColumn column: Int) -> Int {
    cells.firstIndex { $0.column + $0.width > column } ?? cells.count
  }

  /// What is seen of the line through a window of columns.
  package func text(from first: Int, columns: Int) -> String {
    var result = ""
    var used = 0
    for cell in cells where cell.column + cell.width > first {
      // A cell that is cut off on the left leaves its place empty.
      if cell.column < first {
        let visible = cell.column + cell.width - first
        result += String(repeating: " ", count: min(visible, columns))
        used += visible
        continue
      }
      if used + cell.width > columns { break }
      result += cell.text
      used += cell.width
    }
    return result
  }
}
