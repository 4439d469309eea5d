/// One thing that must be reached, and what was measured.
package struct Bar: Sendable {
  /// What counts as reached.
  package enum Limit: Sendable {
    case atMost(Double)
    case atLeast(Double)

    package var text: String {
      switch self {
      case .atMost(let value): "<= \(Figure.short(value))"
      case .atLeast(let value): ">= \(Figure.short(value))"
      }
    }
  }

  package let measure: String
  /// NaN where it could not be measured; that holds nothing.
  package let value: Double
  package let unit: String
  package let limit: Limit

  package init(measure: String, value: Double, unit: String, limit: Limit) {
    self.measure = measure
    self.value = value
    self.unit = unit
    self.limit = limit
  }

  package var holds: Bool {
    switch limit {
    case .atMost(let most): value <= most
    case .atLeast(let least): value >= least
    }
  }

  /// The cells of its row.
  package var cells: [String] {
    [measure, Figure.short(value), unit, limit.text, holds ? "yes" : "NO"]
  }
}

extension Bar: Encodable {
  private enum Key: CodingKey { case measure, value, unit, bar, holds }

  package func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Key.self)
    try object.encode(measure, forKey: .measure)
    // JSON has no NaN.
    try object.encode(value.isFinite ? value : nil, forKey: .value)
    try object.encode(unit, forKey: .unit)
    try object.encode(limit.text, forKey: .bar)
    try object.encode(holds, forKey: .holds)
  }
}
