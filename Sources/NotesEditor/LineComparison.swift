package import Foundation

/// Two texts beside each other, line by line, where they differ.
package enum LineComparison {
  /// Lines to show: `- ` ours, `+ ` theirs, two spaces before what both have.
  ///
  /// Lines that are equal at both ends are left out, but for some around the difference; what is
  /// between is compared line by line as long as it is not too long for that.
  package static func lines(mine: Data, theirs: Data) -> [String] {
    let (a, b) = (split(mine), split(theirs))
    var start = 0
    while start < a.count, start < b.count, a[start] == b[start] { start += 1 }
    var end = 0
    while end < a.count - start, end < b.count - start, a[a.count - 1 - end] == b[b.count - 1 - end]
    {
      end += 1
    }
    let context = 2
    let before = a[max(start - context, 0)..<start]
    let after = a[(a.count - end)..<min(a.count - end + context, a.count)]
    let middle = difference(Array(a[start..<(a.count - end)]), Array(b[start..<(b.count - end)]))
    var result = before.map { "  \($0)" } + middle + after.map { "  \($0)" }
    if start > context { result.insert("  … \(start - context) lines that are the same", at: 0) }
    if end > context { result.append("  … \(end - context) lines that are the same") }
    return result
  }

  private static func difference(_ a: [String], _ b: [String]) -> [String] {
    guard a.count * b.count <= 4_000_000 else {
      return a.map { "- \($0)" } + b.map { "+ \($0)" }
    }
    let changes = b.difference(from: a)
    var removed: Set<Int> = []
    var inserted: [Int: String] = [:]
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, let line, _): inserted[offset] = line
      }
    }
    var result: [String] = []
    var (i, j) = (0, 0)
    while i < a.count || j < b.count {
      if i < a.count, removed.contains(i) {
        result.append("- \(a[i])")
        i += 1
      } else if let line = inserted[j] {
        result.append("+ \(line)")
        j += 1
      } else {
        result.append("  \(a[i])")
        i += 1
        j += 1
      }
    }
    return result
  }

  private static func split(_ data: Data) -> [String] {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
