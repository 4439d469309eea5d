import Documents
import LinuxSystem
import Testing

/// A hundred thousand actions; times are bars of the benchmark, here only their growth is held.
@Suite(.timeLimit(.minutes(2)))
struct UndoScaleTests {
  private final class Counter {
    var value = 0
    let undo: UndoManager
    init(_ undo: UndoManager) { self.undo = undo }
    func add(_ step: Int) {
      value += step
      undo.registerUndo(withTarget: self) { $0.add(-step) }
    }
  }

  private func time(_ count: Int, grouped: Bool) -> Duration {
    let undo = handGrouped()
    let counter = Counter(undo)
    let start = MonotonicInstant.now
    if grouped {
      undo.group { for _ in 0..<count { counter.add(1) } }
      undo.undo()
    } else {
      for _ in 0..<count { undo.group { counter.add(1) } }
      for _ in 0..<count { undo.undo() }
    }
    #expect(counter.value == 0)
    return MonotonicInstant.now - start
  }

  @Test(arguments: [true, false])
  func `ten times the actions take about ten times the time`(grouped: Bool) {
    _ = time(1_000, grouped: grouped)
    let small = time(10_000, grouped: grouped)
    let large = time(100_000, grouped: grouped)
    #expect(large < small * 40)
  }
}
