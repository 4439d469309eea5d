import FileWatching
import TestSupport
import Testing

extension WatchingTests {
  /// The scripts in `Cases`.
  @Suite struct Cases {
    @Test(arguments: Engine.allCases, [false, true])
    func `every case is told as its script says, also when records are lost`(
      _ engine: Engine,
      _ isLossy: Bool
    ) async throws {
      let cases = try WatchCase.all()
      #expect(cases.count > 20)
      // Some at a time: programs of one save must not wait for each other.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, watchCase) in cases.enumerated() {
          if index >= 3 { try await group.next() }
          group.addTask {
            let monitor = engine.monitor()
            if isLossy { monitor.limitQueue(to: 1) }
            try await CaseRun(watchCase, monitor, isLossy: isLossy).run()
            if engine == .kernel { monitor.stop() }
          }
        }
        try await group.waitForAll()
      }
      engine.monitor().limitQueue(to: nil)
    }

    @Test func `a script that makes no sense is refused with its line`() {
      #expect(throws: WatchCase.Malformed.self) { try WatchCase("x", "watch all .\ndo true") }
      #expect(throws: WatchCase.Malformed.self) { try WatchCase("x", "watch tree .") }
      #expect(throws: WatchCase.Malformed.self) { try WatchCase("x", "  changed f") }
    }
  }
}
