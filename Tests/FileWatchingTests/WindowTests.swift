import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Coordinated writes of our own.
  @Suite struct Windows {
    @Test(
      arguments: Engine.allCases,
      [
        "echo more >>f", "echo new >t; mv t f", "mv f f~; echo new >f; rm f~", "rm f; echo n >f",
        "chmod 600 f", "rm f", "true",
      ]
    )
    func `what happens in a window is not reported, then or later`(
      _ engine: Engine,
      _ write: String
    ) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      let tree = EventLog()
      w.watch("", .tree, into: tree)

      let window = w.monitor.openWindow(over: [w.path("f")])
      try await w.shell(write)
      await w.monitor.close(window)

      #expect(await w.events() == [])
      #expect(tree.take() == [])
      try await w.shell("echo stranger >>f")
      let events = await w.events()
      #expect(events == [write == "rm f" ? .itemReturned : .itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `writes in windows that follow each other are all absorbed`(_ engine: Engine) async throws
    {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      for round in 0..<1000 {
        let window = w.monitor.openWindow(over: [w.path("f")])
        try File("f", "\(round)").write(into: w.path)
        w.monitor.closeWindow(window)
      }
      #expect(await w.events() == [])
    }

    /// Both renames are read together: the watcher was stopped.
    @Test(arguments: Engine.allCases)
    func `a stranger's rename of what is then moved in a window is told`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        Directory("t") { File("f", "old") }
        Directory("o")
      }
      w.watch("t", .tree)
      let gate = Gate()
      w.monitor.onThread { gate.wait() }
      defer { gate.open() }
      try FileSystem.rename(w.path("t/f"), to: w.path("t/n"))
      let window = w.monitor.openWindow(over: [w.path("t/n"), w.path("o/z")])
      try FileSystem.rename(w.path("t/n"), to: w.path("o/z"))
      gate.open()
      await w.monitor.close(window)
      #expect(await w.events() == [.subitemDeleted(w.path("t/f"))])
    }

    @Test(arguments: Engine.allCases)
    func `a package that is replaced in a window is not reported`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        Directory("p") {
          File("a", "old")
          Directory("d") { File("b") }
        }
      }
      w.watch("", .tree)
      let inner = EventLog()
      w.watch("p/a", into: inner)

      let window = w.monitor.openWindow(over: [w.path("p")])
      try await w.shell(
        "mkdir -p n/d/e; echo new >n/a; echo x >n/d/e/f; mv p o; mv n p; rm -r o"
      )
      await w.monitor.close(window)

      #expect(await w.events().filter { !"\($0)".contains("/o") && !"\($0)".contains("/n") } == [])
      #expect(inner.take() == [])
      try await w.shell("echo more >>p/d/e/f; echo more >>p/a")
      #expect(
        Set(await w.events()) == [
          .subitemChanged(w.path("p/d/e/f")), .subitemChanged(w.path("p/a")),
        ]
      )
      #expect(inner.take() == [.itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `a stranger's write just before a window is reported`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      // The monitor is held up, so that it reads the stranger's records inside the window.
      let gate = Gate()
      w.monitor.onThread { gate.wait() }
      try File("f", "stranger").write(into: w.path)

      let window = w.monitor.openWindow(over: [w.path("f")])
      gate.open()
      await w.monitor.close(window)

      #expect(await w.events() == [.itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `a coordinated move is followed quietly`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        File("f", "old")
        Directory("d") { Directory("e") { File("x") } }
      }
      let file = w.watch("f")
      let tree = EventLog()
      let token = w.watch("d", .tree, into: tree)

      let window = w.monitor.openWindow(over: [w.path("f"), w.path("g"), w.path("d"), w.path("k")])
      try await w.shell("mv f g; mv d k")
      w.monitor.retarget(file, to: w.path("g"))
      w.monitor.retarget(token, to: w.path("k"))
      await w.monitor.close(window)
      #expect(await w.events() == [])
      #expect(tree.take() == [])

      try await w.shell("echo more >>g; echo more >>k/e/x; echo new >f; mkdir d")
      #expect(await w.events() == [.itemChanged])
      #expect(tree.take() == [.subitemChanged(w.path("k/e/x"))])
    }

    @Test(arguments: Engine.allCases)
    func `a fence comes after what happened before it`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      for round in 0..<50 {
        try File("f", "\(round)").write(into: w.path)
        #expect(await w.events() == [.itemChanged])
      }
    }
  }
}
