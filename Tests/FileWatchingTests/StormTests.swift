import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Lost records, and more of them than is healthy.
  @Suite struct Storms {
    // H08, H09: the queue overflows while everything changes.
    @Test(arguments: Engine.allCases)
    func `after an overflow the reports give the true state`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true) {
        Directory("old") { File("x") }
        Directory("away") { File("y") }
        Directory("here") {}
        File("kept", "1")
      }
      try await w.shell(
        "i=0; while [ $i -lt 100 ]; do echo $i >here/$i; echo $i >old/$i; i=$((i+1)); done"
      )
      w.watch("", .tree)
      let item = EventLog()
      w.watch("here/7", into: item)
      let before = Set(try Listing.of(w.path).keys)
      let inode = try FileStatus(of: w.path("here/7")).inode

      let gate = Gate()
      w.monitor.onThread { gate.wait() }
      let storm = w.path
      let queue = InotifyLimits.queue ?? 16384
      try await onThread { () throws(SystemError) in
        let many = storm.appending("many")
        try FileSystem.makeDirectory(many)
        // Two records each at least: created and closed.
        for number in 0..<(queue / 2 + 50) {
          _ = try Descriptor.open(storm.appending("n\(number)"), [.writeOnly, .create])
        }
        for number in 0..<100 {
          try FileSystem.rename(
            storm.appending("here/\(number)"),
            to: many.appending("\(number)")
          )
        }
      }
      try await w.shell(
        "rm -r old; mv away gone; echo 22 >kept; mkdir -p new/a/b; echo 1 >new/a/b/c"
      )
      gate.open()
      let events = await w.events()

      #expect(Listing.paths(before, after: events, in: w.path) == Set(try Listing.of(w.path).keys))
      #expect(events.contains(.subitemChanged(w.path("kept"))))
      #expect(item.take() == [.itemMoved(to: w.path("many/7"))])
      #expect(try FileStatus(of: w.path("many/7")).inode == inode)
      try await w.shell("echo more >>many/7; echo more >>new/a/b/c; echo more >>gone/y")
      #expect(
        Set(await w.events()) == [
          .subitemChanged(w.path("many/7")), .subitemChanged(w.path("new/a/b/c")),
          .subitemChanged(w.path("gone/y")),
        ]
      )
      #expect(item.take() == [.itemChanged])
    }

    // H13: many moves out of the tree leave nothing behind.
    @Test(arguments: Engine.allCases)
    func `unpaired renames are forgotten`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true) {
        Directory("t")
        Directory("out")
      }
      w.watch("t", .tree)
      let root = w.path
      try await onThread { () throws(SystemError) in
        for number in 0..<10_000 {
          let inside = root.appending("t/f\(number)")
          _ = try Descriptor.open(inside, [.writeOnly, .create])
          try FileSystem.rename(inside, to: root.appending("out/f"))
        }
      }
      await w.settle()
      #expect(Listing.paths([], after: w.log.take(), in: w.path("t")).isEmpty)
      try await eventually("forgotten") {
        w.monitor.statistics.renames == 0 && w.monitor.statistics.pending < 10
      }
    }

    // H07: watches come and go while directories do.
    @Test(arguments: Engine.allCases)
    func `records of watches that ended are ignored`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true) { File("marker") }
      w.watch("marker")
      let root = w.path
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            try await onThread { () throws(SystemError) in
              for round in 0..<250 {
                let path = root.appending("w\(worker)-\(round)")
                try FileSystem.makeDirectory(path)
                try FileSystem.makeDirectory(path.appending("a"))
                try FileSystem.makeDirectory(path.appending("a/b"))
                let token = w.monitor.watch(path, scope: .tree) { _ in }
                if round % 2 == 0 { try FileSystem.removeTree(path) }
                w.monitor.unwatch(token)
                if round % 2 == 1 { try FileSystem.removeTree(path) }
              }
            }
          }
        }
        try await group.waitForAll()
      }
      try await w.shell("echo x >>marker")
      #expect(await w.events() == [.itemChanged])
    }

    // H27: roots that are deleted under their watches.
    @Test(arguments: Engine.allCases)
    func `nothing is left of five thousand short watches`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true)
      w.watch("")
      await w.settle()
      let before = w.monitor.statistics
      let descriptors = try FileSystem.list(FilePath("/proc/self/fd")).count
      let root = w.path
      try await onThread { () throws(SystemError) in
        for round in 0..<5000 {
          let path = root.appending("r\(round % 7)")
          try FileSystem.makeDirectory(path)
          let token = w.monitor.watch(path, scope: round % 2 == 0 ? .tree : .item) { _ in }
          try FileSystem.removeDirectory(path)
          w.monitor.unwatch(token)
        }
      }
      await w.settle()

      try await eventually("freed") {
        w.monitor.statistics.watches <= before.watches + 2
          && w.monitor.statistics.pending < 20
          && w.monitor.statistics.descriptorsLeft == before.descriptorsLeft
      }
      // Other tests of the process may open some meanwhile.
      #expect(try FileSystem.list(FilePath("/proc/self/fd")).count < descriptors + 100)
    }

    // H11: one instance, however many watchers; no descriptor for those beyond the allowance.
    @Test(arguments: Engine.allCases)
    func `a thousand watchers share one instance`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true)
      try await w.shell("i=0; while [ $i -lt 1000 ]; do echo >f$i; i=$((i+1)); done")
      let descriptors = try FileSystem.list(FilePath("/proc/self/fd")).count
      for number in 0..<1000 { w.watch("f\(number)") }

      #expect(try FileSystem.list(FilePath("/proc/self/fd")).count < descriptors + 320)
      try await w.shell("for i in 1 500 999; do echo more >>f$i; done; mv f999 g999")
      let events = await w.events()
      // The last file may be looked at when it has moved already.
      #expect(events.count { $0 == .itemChanged } == 3, "\(events)")
      #expect(events.count { $0 == .itemMoved(to: w.path("g999")) } == 1, "\(events)")
      #expect(events.count == 4, "\(events)")
    }

    @Test(arguments: Engine.allCases)
    func `twenty thousand new files appear once each`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true)
      w.watch("", .tree)
      let root = w.path
      try await onThread { () throws(SystemError) in
        for number in 0..<20_000 {
          _ = try Descriptor.open(root.appending("f\(number)"), [.writeOnly, .create])
        }
      }
      let events = await w.events()
      let appeared = events.filter { if case .subitemAppeared = $0 { true } else { false } }
      #expect(appeared.count == 20_000)
      #expect(Set(appeared).count == 20_000)
      // One that was reported before it was closed is reported as changed then; nothing else happens.
      let others = events.filter { if case .subitemAppeared = $0 { false } else { true } }
      #expect(others.allSatisfy { if case .subitemChanged = $0 { true } else { false } })
      #expect(Set(others).count == others.count)
    }
  }
}
