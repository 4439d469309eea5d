/// A table for the terminal; columns after the first are set flush right.
///
/// In a row with too few cells the last one may be as long as it likes.
package struct TextTable: Sendable {
  private let header: [String]
  private var rows: [[String]] = []

  package init(_ header: [String]) { self.header = header }

  package mutating func add(_ row: [String]) { rows.append(row) }

  /// The lines, with the header and a rule below it.
  package var text: String {
    let all = [header] + rows
    let widths = header.indices.map { column in
      all.map { column < $0.count - ($0.count < header.count ? 1 : 0) ? $0[column].count : 0 }
        .max() ?? 0
    }
    func line(_ row: [String]) -> String {
      zip(row, widths).enumerated().map { index, cell in
        let space = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
        let isShort = row.count < header.count && index == row.count - 1
        return index == 0 ? cell.0 + space : isShort ? cell.0 : space + cell.0
      }.joined(separator: "  ")
    }
    let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
    return ([line(header), rule] + rows.map(line)).joined(separator: "\n")
  }
}
