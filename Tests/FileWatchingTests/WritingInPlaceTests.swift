import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Files that are written in place again and again: decided without detours, until something else
  /// happens.
  @Suite struct WritingInPlace {
    /// Writes and closes, and waits until that is told: the next write is another change.
    private func write(
      _ w: Watcher,
      _ name: String = "f",
      _ expected: ChangeEvent = .itemChanged
    ) async throws {
      try append(to: w.path(name))
      try await eventually("the write is told") { w.log.all.contains(expected) }
      #expect(await w.events() == [expected])
    }

    private func append(to path: FilePath) throws {
      try Descriptor.open(path, [.writeOnly, .append]).write([UInt8(ascii: "x")])
    }

    @Test(arguments: Engine.allCases)
    func `each write is told once`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      for _ in 0..<20 { try await write(w) }
    }

    @Test(arguments: Engine.allCases)
    func `each write in a tree is told once, whichever file is written`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        File("f", "old")
        Directory("d") { File("g", "old") }
      }
      w.watch("", .tree)
      // Of what was never written the records alone tell; then what was seen of it.
      for _ in 0..<6 {
        for name in ["f", "d/g", "d/g"] {
          try await write(w, name, .subitemChanged(w.path(name)))
        }
      }
    }

    @Test(
      arguments: Engine.allCases,
      [
        ("echo new >t; mv t f", [.itemChanged]), ("rm f; echo new >f", [.itemChanged]),
        ("chmod 640 f", [.itemAttributesChanged]), ("ln f g", []), ("echo more >>other", []),
        ("mv other g; mv g other", []), ("rm f; :; sleep 0.5; echo new >f", nil),
      ] as [(String, [ChangeEvent]?)]
    )
    func `what happens between writes is told too, and so is the next write`(
      _ engine: Engine,
      _ between: (script: String, events: [ChangeEvent]?)
    ) async throws {
      let w = try Watcher(engine) {
        File("f", "old")
        File("other", "old")
      }
      w.watch("f")
      try await write(w)
      try await write(w)

      try await w.shell(between.script)
      let events = await w.events()
      #expect(events == between.events ?? [.itemDeleted, .itemReturned])

      try await write(w)
      try await write(w)
    }

    @Test(arguments: Engine.allCases)
    func `a file that moved is told of at its new place`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        File("f", "old")
        Directory("d")
      }
      w.watch("f")
      let tree = EventLog()
      w.watch("", .tree, into: tree)
      try await write(w)
      #expect(tree.take() == [.subitemChanged(w.path("f"))])

      try await w.shell("mv f d/g")
      #expect(await w.events() == [.itemMoved(to: w.path("d/g"))])
      try await w.shell("echo new >f")
      #expect(await w.events() == [])
      _ = tree.take()
      try append(to: w.path("f"))
      #expect(await w.events() == [])
      #expect(tree.take() == [.subitemChanged(w.path("f"))])
      try await write(w, "d/g")
      #expect(tree.take() == [.subitemChanged(w.path("d/g"))])
    }

    @Test(arguments: Engine.allCases)
    func `whoever comes hears the next write, and whoever goes does not`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      try await write(w)
      let late = EventLog()
      let token = w.watch("f", into: late)
      try await write(w)
      #expect(late.take() == [.itemChanged])
      w.monitor.unwatch(token)
      try await write(w)
      #expect(late.take() == [])
    }

    @Test(arguments: Engine.allCases)
    func `a watch that is sent elsewhere hears of writes there only`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        File("f", "old")
        File("g", "old")
      }
      let token = w.watch("f")
      try await write(w)
      w.monitor.retarget(token, to: w.path("g"))
      try append(to: w.path("f"))
      #expect(await w.events() == [])
      try await write(w, "g")
    }

    @Test(arguments: Engine.allCases)
    func `a write in a window between two others is not told`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      for _ in 0..<10 {
        try await write(w)
        let window = w.monitor.openWindow(over: [w.path("f")])
        try append(to: w.path("f"))
        await w.monitor.close(window)
        #expect(await w.events() == [])
      }
    }

    @Test(arguments: Engine.allCases)
    func `a write under another name of the file is told`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        File("f", "old")
        Directory("d")
      }
      w.watch("f")
      try await write(w)
      try await w.shell("ln f d/g")
      // Making the name is reported to nobody here; the next write shows that there are two.
      try await write(w)
      try await w.shell("echo more >>d/g")
      #expect(await w.events() == [.itemChanged])
      try await write(w)
    }

    @Test(arguments: Engine.allCases)
    func `nothing is told of a file that is opened for writing and closed`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      for _ in 0..<3 {
        try await write(w)
        _ = try Descriptor.open(w.path("f"), [.writeOnly])
        #expect(await w.events() == [])
      }
    }
  }
}
