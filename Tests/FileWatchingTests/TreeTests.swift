import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Presented directories with all that is in them.
  @Suite struct Trees {
    @Test(arguments: Engine.allCases)
    func `what happens in a tree is reported by name`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { Directory("d") { File("f", "old") } }
      w.watch("", .tree)

      try await w.shell("echo more >>d/f")
      #expect(await w.events() == [.subitemChanged(w.path("d/f"))])
      try await w.shell("echo new >d/g")
      #expect(await w.events() == [.subitemAppeared(w.path("d/g"))])
      try await w.shell("mv d/g h")
      #expect(await w.events() == [.subitemMoved(from: w.path("d/g"), to: w.path("h"))])
      try await w.shell("rm h")
      #expect(await w.events() == [.subitemDeleted(w.path("h"))])
      try await w.shell("rm -r d")
      #expect(
        await w.events() == [.subitemDeleted(w.path("d/f")), .subitemDeleted(w.path("d"))]
      )
    }

    // Two threads share the first walk through a tree of many directories.
    @Test(arguments: Engine.allCases)
    func `a tree of many directories is whole from the beginning`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true)
      try await w.shell(
        """
        i=0; while [ $i -lt 40 ]; do mkdir -p d$i/made; for j in 0 1 2 3 4 5 6 7 8 9 a b c d e f
        do mkdir d$i/$j; :>d$i/$j/f; done; i=$((i+1)); done
        """
      )
      w.watch("", .tree)
      var expected = Set<ChangeEvent>()
      for outer in 0..<40 {
        for inner in "0123456789abcdef" {
          let path = w.path("d\(outer)/\(inner)/f")
          try Descriptor.open(path, [.writeOnly, .append]).write([UInt8(ascii: "x")])
          expected.insert(.subitemChanged(path))
        }
        try File("new").write(into: w.path("d\(outer)/made"))
        expected.insert(.subitemAppeared(w.path("d\(outer)/made/new")))
      }
      let events = await w.events()
      #expect(Set(events) == expected)
      #expect(events.count == expected.count)
      #expect(w.monitor.degraded.isEmpty)
    }

    // H04: the temporary name of an atomic save is nobody's business.
    @Test(arguments: Engine.allCases)
    func `a save by rename is a change of the name it ends at`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("app.txt", "old") }
      w.watch("", .tree)

      try await w.shell("echo new >t; mv t app.txt")

      #expect(await w.events() == [.subitemChanged(w.path("app.txt"))])
    }

    // H05: names made before the new directory is watched.
    @Test(
      arguments: Engine.allCases,
      [
        "i=0; while [ $i -lt 60 ]; do mkdir -p t/$i/b/c; for f in 1 2 3 4 5; do :>t/$i/b/c/$f; done; i=$((i+1)); done",
        "cp -a ../src-$$ t", "(cd ../src-$$; tar c .) | (mkdir t; cd t; tar x)",
        "mkdir t; rsync -a ../src-$$/ t/",
        "cp -a ../src-$$ ../src-$$.2; mv ../src-$$.2 t",
      ]
    )
    func `everything in new directories appears once`(_ engine: Engine, _ make: String)
      async throws
    {
      let w = try Watcher(engine, inMemory: true)
      w.watch("", .tree)

      try await w.shell(
        """
        mkdir ../src-$$; i=0
        while [ $i -lt 60 ]; do mkdir -p ../src-$$/$i/b/c
        for f in 1 2 3 4 5; do echo $f >../src-$$/$i/b/c/$f; done; i=$((i+1)); done
        \(make)
        rm -r ../src-$$
        """
      )
      let events = await w.events()

      var appeared: [FilePath: Int] = [:]
      for case .subitemAppeared(let path) in events { appeared[path, default: 0] += 1 }
      #expect(Set(appeared.keys) == Set(try Listing.of(w.path).keys))
      #expect(appeared.values.allSatisfy { $0 == 1 })
      for event in events {
        // Directories get their times and permissions last, files when they are made.
        guard case .subitemChanged(let path) = event else { continue }
        #expect(try FileStatus(of: path).kind == .directory)
      }
    }

    // H15, H16: after a move everything goes on under the new path.
    @Test(arguments: Engine.allCases)
    func `a directory that moves inside is one move and stays watched`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        Directory("a") { Directory("x") { File("y", "old") } }
        Directory("z")
      }
      w.watch("", .tree)

      try await w.shell("mv a b")
      #expect(await w.events() == [.subitemMoved(from: w.path("a"), to: w.path("b"))])
      try await w.shell("echo more >>b/x/y")
      #expect(await w.events() == [.subitemChanged(w.path("b/x/y"))])
      try await w.shell("mv b z/c; echo more >>z/c/x/y")
      #expect(
        await w.events() == [
          .subitemMoved(from: w.path("b"), to: w.path("z/c")),
          .subitemChanged(w.path("z/c/x/y")),
        ]
      )
      try await w.shell("mv z/c a; mkdir a/x/w")
      #expect(
        await w.events() == [
          .subitemMoved(from: w.path("z/c"), to: w.path("a")),
          .subitemAppeared(w.path("a/x/w")),
        ]
      )
      try await w.shell("echo new >a/x/w/v")
      #expect(await w.events() == [.subitemAppeared(w.path("a/x/w/v"))])
    }

    @Test(arguments: Engine.allCases)
    func `a file and a directory that change places are told with what is in them`(
      _ engine: Engine
    ) async throws {
      for round in 0..<6 {
        let w = try Watcher(engine, inMemory: true) {
          Directory("c") {
            Directory("n1") {
              Directory("n3")
              File("y")
            }
            Directory("n5") { File("x") }
          }
        }
        w.watch("c", .tree)
        let known = Set(try Listing.of(w.path("c")).keys)
        if round % 2 == 1 { await w.settle() }
        try FileSystem.rename(w.path("c/n1"), to: w.path("c/n5/x"), .exchange)
        if round % 3 == 2 { try File("c/n5/n5").write(into: w.path) }
        let events = await w.events()
        let there = Set(try Listing.of(w.path("c")).keys)
        #expect(
          Listing.paths(known, after: events, in: w.path("c")) == there,
          "round \(round): \(events)"
        )
      }
    }

    // H13, H14, ruling 13.
    @Test(arguments: Engine.allCases)
    func `what leaves the tree is deleted, what comes in appears`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        Directory("t") {
          File("f")
          Directory("d") { File("g") }
        }
        Directory("out") { Directory("e") { File("h") } }
      }
      w.watch("t", .tree)
      let item = EventLog()
      w.watch("t/d/g", into: item)

      try await w.shell("mv t/f out/f")
      #expect(await w.events() == [.subitemDeleted(w.path("t/f"))])
      try await w.shell("mv out/f t/k; mv out/e t/e")
      #expect(
        Set(await w.events()) == [
          .subitemAppeared(w.path("t/k")), .subitemAppeared(w.path("t/e")),
          .subitemAppeared(w.path("t/e/h")),
        ]
      )
      try await w.shell("mv t/d out/d")
      #expect(
        await w.events() == [.subitemDeleted(w.path("t/d/g")), .subitemDeleted(w.path("t/d"))]
      )
      #expect(item.take() == [.itemMoved(to: w.path("out/d/g"))])
      try await w.shell("echo more >>out/d/g; echo more >>out/d/new")
      #expect(await w.events() == [])
      #expect(item.take() == [.itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `a move between two watched trees is a move and an appearance`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        Directory("a") { Directory("d") { File("f", "old") } }
        Directory("b")
      }
      let (a, b) = (EventLog(), EventLog())
      w.watch("a", .tree, into: a)
      w.watch("b", .tree, into: b)

      try await w.shell("mv a/d b/e")
      await w.settle()
      #expect(a.take() == [.subitemMoved(from: w.path("a/d"), to: w.path("b/e"))])
      #expect(
        b.take() == [.subitemAppeared(w.path("b/e")), .subitemAppeared(w.path("b/e/f"))]
      )
      try await w.shell("echo more >>b/e/f")
      await w.settle()
      #expect(a.take() == [])
      #expect(b.take() == [.subitemChanged(w.path("b/e/f"))])
    }

    @Test(arguments: Engine.allCases)
    func `a root that is made again is watched again`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { Directory("t") { File("f") } }
      w.watch("t", .tree)

      try await w.shell("rm -r t")
      #expect(await w.events() == [.subitemDeleted(w.path("t/f")), .itemDeleted])
      try await w.shell("mkdir t; echo new >t/g")
      #expect(await w.events() == [.itemReturned, .subitemAppeared(w.path("t/g"))])
      try await w.shell("echo more >>t/g; mkdir -p t/a/b")
      #expect(
        await w.events() == [
          .subitemChanged(w.path("t/g")), .subitemAppeared(w.path("t/a")),
          .subitemAppeared(w.path("t/a/b")),
        ]
      )
    }

    @Test(arguments: Engine.allCases)
    func `a root that moves is followed with all it holds`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { Directory("t") { Directory("d") { File("f", "old") } } }
      w.watch("t", .tree)

      try await w.shell("mv t u; echo more >>u/d/f")

      #expect(
        await w.events() == [.itemMoved(to: w.path("u")), .subitemChanged(w.path("u/d/f"))]
      )
    }

    // H20.
    @Test(arguments: Engine.allCases)
    func `deletions, new files and saves at once end in the true state`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) {
        Directory("A") { File("x") }
        File("C", "old")
      }
      w.watch("", .tree)

      try await w.shell("rm -r A; echo b >B; echo c >t; mv t C")

      #expect(
        Set(await w.events()) == [
          .subitemDeleted(w.path("A")), .subitemDeleted(w.path("A/x")),
          .subitemAppeared(w.path("B")), .subitemChanged(w.path("C")),
        ]
      )
    }

    // K04: any bytes but the slash and NUL.
    @Test(arguments: Engine.allCases)
    func `names of any bytes are reported as they are`(_ engine: Engine) async throws {
      let w = try Watcher(engine)
      w.watch("", .tree)
      let names: [[UInt8]] = [
        Array("bad".utf8) + [0xff, 0xfe], [0x80], Array("a\nb".utf8), Array("%41".utf8),
        Array("a:b".utf8), [UInt8](repeating: UInt8(ascii: "x"), count: 255), Array("-r".utf8),
        Array("e\u{301}".utf8), Array("\u{e9}".utf8), Array(" ".utf8), Array("fine".utf8),
      ]
      for name in names {
        let file = try Descriptor.open(w.path.appending(name), [.writeOnly, .create])
        try file.write([1])
      }
      #expect(
        Set(await w.events()) == Set(names.map { .subitemAppeared(w.path.appending($0)) })
      )
      for name in names { try FileSystem.removeFile(w.path.appending(name)) }
      #expect(Set(await w.events()) == Set(names.map { .subitemDeleted(w.path.appending($0)) }))
    }
  }
}
