import BenchmarkHarness
import Documents
import Foundation

/// Registering and undoing 100,000 actions.
@MainActor enum UndoMeasure {
  private final class Target { var count = 0 }

  static func run(_ work: WorkDirectory) async throws -> [Measure] {
    let small = time(10_000)
    let large = time(100_000)
    // What a shared machine does to a loop that does nothing, in as long a time.
    let pause = Floors.longestPause(within: large.total)
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
        detail: "processor time of registering or undoing one, least of three runs; by the clock "
          + "\(Figure.time(large.longestByClock)), where an empty loop stops for \(Figure.time(pause))"
      ),
    ]
  }

  /// How long many actions took, and the longest of them.
  private struct Times {
    var total = Double.infinity
    var longest = Double.infinity
    var longestByClock = Double.infinity
  }

  private static func time(_ count: Int) -> Times {
    var totals: [Double] = []
    var least = Times()
    for _ in 0..<3 {
      let times = once(count)
      totals.append(times.total)
      least.longest = min(least.longest, times.longest)
      least.longestByClock = min(least.longestByClock, times.longestByClock)
    }
    least.total = Statistics.median(totals)
    return least
  }

  private static func once(_ count: Int) -> Times {
    let manager = UndoManager()
    manager.groupsByEvent = false
    let target = Target()
    var times = Times(total: 0, longest: 0, longestByClock: 0)
    let start = nanoseconds()
    var last = (clock: start, processor: Floors.threadTime)
    func step() {
      let now = (clock: nanoseconds(), processor: Floors.threadTime)
      times.longest = max(times.longest, now.processor - last.processor)
      times.longestByClock = max(times.longestByClock, now.clock - last.clock)
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
    times.total = nanoseconds() - start
    return times
  }
}
