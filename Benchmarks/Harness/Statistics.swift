/// Figures of several rounds, made one.
package enum Statistics {
  /// The middle value; of an even number the mean of the two middle ones, of nothing NaN.
  package static func median(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Two quantities measured in turn, so that what the machine does meanwhile hits both alike.
package struct Pairs: Sendable {
  package private(set) var ours: [Double] = []
  package private(set) var floor: [Double] = []

  package init() {}

  /// Measures `rounds` pairs; every other round in the opposite order.
  package init(
    rounds: Int,
    ours: () throws -> Double,
    floor: () throws -> Double
  ) rethrows {
    for round in 0..<rounds {
      if round % 2 == 0 {
        let first = try floor()
        add(ours: try ours(), floor: first)
      } else {
        let first = try ours()
        add(ours: first, floor: try floor())
      }
    }
  }

  package mutating func add(ours: Double, floor: Double) {
    self.ours.append(ours)
    self.floor.append(floor)
  }

  /// The median of the rounds' quotients.
  package var ratio: Double { Statistics.median(zip(ours, floor).map { $0 / $1 }) }
}
