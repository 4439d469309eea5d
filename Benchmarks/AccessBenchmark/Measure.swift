import BenchmarkHarness
import Foundation

/// One figure, and the bar that it must stay under.
struct Measure: Codable {
  let name: String
  let value: Double
  let bar: Double
  let unit: String
  let detail: String
  var isReached: Bool { value <= bar }

  var line: String {
    let mark = isReached ? "reached" : "MISSED "
    return
      "\(mark)  \(name): \(Figure.short(value)) \(unit), at most \(Figure.short(bar))  (\(detail))"
  }
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

/// Nanoseconds on a clock that nobody sets.
func nanoseconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) }
