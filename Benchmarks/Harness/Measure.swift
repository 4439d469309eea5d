import Foundation

/// One figure, and the bar that it must stay under.
package struct Measure: Encodable, Sendable {
  private let name: String
  private let value: Double
  private let bar: Double
  private let unit: String
  /// Whether what was computed is what the other side computed.
  private let isEqual: Bool
  private let detail: String

  package init(
    name: String,
    value: Double,
    bar: Double,
    unit: String,
    isEqual: Bool = true,
    detail: String
  ) {
    self.name = name
    self.value = value
    self.bar = bar
    self.unit = unit
    self.isEqual = isEqual
    self.detail = detail
  }

  package var isReached: Bool { isEqual && value <= bar }
  package func isNamed(_ prefix: String) -> Bool { name.hasPrefix(prefix) }

  package var line: String {
    let mark = !isEqual ? "DIFFERS" : isReached ? "reached" : "MISSED "
    return
      "\(mark)  \(name): \(Figure.short(value)) \(unit), at most \(Figure.short(bar))  (\(detail))"
  }
  package var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

/// Nanoseconds on a clock that nobody sets.
package func nanoseconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) }
