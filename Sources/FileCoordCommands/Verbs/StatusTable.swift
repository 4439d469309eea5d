import Foundation
import LinuxSystem

/// The status for people: columns as wide as they need to be.
enum StatusTable {
  static func lines(_ entries: [StatusEntry]) -> [String] {
    let rows = [["STATE", "KIND", "PROCESS", "SINCE", "ITEM"]] + entries.map(\.columns)
    let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, width) in widths.enumerated() {
        line += row[column] + String(repeating: " ", count: width - row[column].count + 2)
      }
      return line + row[4]
    }
  }
}

extension StatusEntry {
  /// State, kind, process, age, item.
  fileprivate var columns: [String] {
    [state.rawValue, kind ?? "", who, began.map { Self.age($0) } ?? "", item]
  }

  /// The same in one line without a table.
  var line: String {
    [state.rawValue, kind, who, item].compactMap { $0 }.joined(separator: "  ")
  }

  private var who: String {
    "\(process) (\(pid))\(stopped ? ", stopped" : "")"
  }

  private var item: String {
    var text = path
    if let others = self.for, !others.isEmpty {
      text += "  for " + others.map { "\($0.process) (\($0.pid))" }.joined(separator: ", ")
    }
    if let reason { text += "  (\(reason))" }
    return text
  }

  /// How long ago, as short as can be.
  private static func age(_ began: MonotonicInstant) -> String {
    let age: Duration = MonotonicInstant.now - began
    let seconds = age / Duration.seconds(1)
    if seconds < 100 { return String(format: "%.1f s", seconds) }
    if seconds < 6000 { return String(format: "%.0f min", seconds / 60) }
    return String(format: "%.0f h", seconds / 3600)
  }
}
