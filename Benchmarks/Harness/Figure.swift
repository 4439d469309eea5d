import Foundation

/// Numbers as people read them.
package enum Figure {
  /// Three significant digits, without an exponent.
  package static func short(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    if value == 0 { return "0" }
    let digits = max(0, 2 - Int(log10(abs(value)).rounded(.down)))
    let text = String(format: "%.\(min(digits, 4))f", value)
    guard text.contains(".") else { return text }
    return String(text.reversed().drop { $0 == "0" }.drop { $0 == "." }.reversed())
  }

  /// A duration given in nanoseconds, with its unit.
  package static func time(_ nanoseconds: Double?) -> String {
    guard let nanoseconds, nanoseconds.isFinite else { return "-" }
    return switch nanoseconds {
    case ..<1_000: "\(short(nanoseconds)) ns"
    case ..<1_000_000: "\(short(nanoseconds / 1_000)) µs"
    case ..<1_000_000_000: "\(short(nanoseconds / 1_000_000)) ms"
    default: "\(short(nanoseconds / 1_000_000_000)) s"
    }
  }

  /// A whole number with thousands apart.
  package static func count(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    if value != 0, abs(value) < 10 { return short(value) }
    let digits = String(Int(value.rounded()))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, text.last != "-" { text.append(",") }
      text.append(digit)
    }
    return text
  }
}
