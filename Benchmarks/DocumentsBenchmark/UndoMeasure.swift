import BenchmarkHarness
import Documents
import Foundation

/// Registering and undoing 100,000 actions.
@MainActor enum UndoMeasure {
  private final class Target { var count = 0 }

  static func run(_ work: WorkDirectory) async throws -> [Measure] {
    let small = time(10_000)
    let large = time(100_000)
    return [
      Measure(
        name: "undo.100000.linear",
        value: large.total / small.total,
        bar: 15,
        unit: "times 10,000",
        detail: "\(Figure.time(large.total)) in all"
      ),
      Measure(
        name: "undo.100000.longest",
        value: large.longest / 1e6,
        bar: 1,
        unit: "ms",
        detail: "the longest of registering or undoing one action, least of three runs"
      ),
    ]
  }

  private static func time(_ count: Int) -> (total: Double, longest: Double) {
    var totals: [Double] = []
    var longest = Double.infinity
    for _ in 0..<3 {
      let (total, most) = once(count)
      totals.append(total)
      longest = min(longest, most)
    }
    return (Statistics.median(totals), longest)
  }

  private static func once(_ count: Int) -> (Double, Double) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    let target = Target()
    var longest = 0.0
    let start = nanoseconds()
    var last = start
    func step() {
      let now = nanoseconds()
      longest = max(longest, now - last)
      last = now
    }
    for _ in 0..<count {
      manager.beginUndoGrouping()
      manager.registerUndo(withTarget: target) { $0.count += 1 }
      manager.endUndoGrouping()
      step()
    }
    while manager.canUndo {
      manager.undo()
      step()
    }
    return (nanoseconds() - start, longest)
  }
}
