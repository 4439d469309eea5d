import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// What cannot be watched is looked at.
  @Suite struct Degradation {
    // H10: no watch is left after ten directories.
    @Test(arguments: Engine.allCases)
    func `directories without a watch are polled and it shows`(_ engine: Engine) async throws {
      let w = try Watcher(engine)
      try await w.shell("for i in $(seq 50); do mkdir -p d$i/e; echo >d$i/e/f; done")
      WatchFaults.refuse(below: w.path, after: 10, .noSpace)
      defer { WatchFaults.allow(below: w.path) }
      w.watch("", .tree)
      await w.settle()
      guard case .becameDegraded(let reason)? = w.log.take().first else {
        Issue.record("not degraded")
        return
      }
      #expect(reason.contains("fs.inotify.max_user_watches"))
      #expect(w.monitor.degraded.contains { $0.path.isInside(w.path) })

      try await w.shell("for i in $(seq 50); do echo more >>d$i/e/f; echo >d$i/new; done; rm -r d7")
      var expected: Set<ChangeEvent> = [
        .subitemDeleted(w.path("d7")), .subitemDeleted(w.path("d7/e")),
        .subitemDeleted(w.path("d7/e/f")),
      ]
      for number in 1...50 where number != 7 {
        expected.insert(.subitemChanged(w.path("d\(number)/e/f")))
        expected.insert(.subitemAppeared(w.path("d\(number)/new")))
      }
      let seen = Set(await w.events())
      // d7 may be seen changing before it is seen gone.
      #expect(seen.isSuperset(of: expected))

      WatchFaults.allow(below: w.path)
      await w.settle()
      try await eventually("recovered") { w.log.all.contains(.recovered) }
      #expect(!w.monitor.degraded.contains { $0.path.isInside(w.path) })
      _ = w.log.take()
      try await w.shell("echo more >>d50/e/f")
      #expect(await w.events() == [.subitemChanged(w.path("d50/e/f"))])
    }

    // H11: no instance is left: everything is polled, nothing throws.
    @Test func `without an instance everything is polled`() async throws {
      let directory = try TemporaryDirectory()
      try FileTree.write(into: directory.path) {
        File("f", "old")
        Directory("t") { File("g", "old") }
      }
      var tuning = Tuning()
      tuning.shortestPoll = .milliseconds(20)
      tuning.longestPoll = .milliseconds(40)
      let monitor = ChangeMonitor(
        source: .custom { throw SystemError("inotify_init1", .tooManyOpenFiles) },
        tuning: tuning
      )
      let (item, tree) = (EventLog(), EventLog())
      _ = monitor.watch(directory.path.appending("f"), scope: .item) { item.add($0) }
      _ = monitor.watch(directory.path.appending("t"), scope: .tree) { tree.add($0) }
      try await eventually("degraded") { !item.all.isEmpty && !tree.all.isEmpty }
      #expect(!monitor.degraded.isEmpty)
      _ = (item.take(), tree.take())

      try File("f", "newer").write(into: directory.path)
      try File("t/g", "newer").write(into: directory.path)
      try File("t/h", "new").write(into: directory.path)
      try await eventually("seen") {
        // What is looked at between two steps of its writer may change once more.
        item.all.contains(.itemChanged)
          && Set(tree.all).isSuperset(of: [
            .subitemChanged(directory.path.appending("t/g")),
            .subitemAppeared(directory.path.appending("t/h")),
          ])
      }
      try FileSystem.rename(
        directory.path.appending("f"),
        to: directory.path.appending("t/f")
      )
      try await eventually("moved") {
        item.all.contains(.itemMoved(to: directory.path.appending("t/f")))
      }
      monitor.stop()
    }

    @Test func `coordinated writes to what is polled are absorbed too`() async throws {
      let directory = try TemporaryDirectory()
      try FileTree.write(into: directory.path) { Directory("t") { File("g", "old") } }
      var tuning = Tuning()
      tuning.shortestPoll = .milliseconds(10)
      tuning.longestPoll = .milliseconds(10)
      let monitor = ChangeMonitor(
        source: .custom { throw SystemError("inotify_init1", .tooManyOpenFiles) },
        tuning: tuning
      )
      let tree = EventLog()
      _ = monitor.watch(directory.path.appending("t"), scope: .tree) { tree.add($0) }
      await monitor.settle()
      _ = tree.take()
      for round in 0..<20 {
        let window = monitor.openWindow(over: [directory.path.appending("t")])
        try File("t/g", "round \(round)").write(into: directory.path)
        try File("t/h\(round)", "new").write(into: directory.path)
        await monitor.close(window)
      }
      await monitor.settle()
      #expect(tree.take() == [])
      monitor.stop()
    }
  }
}
