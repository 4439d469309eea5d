import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// One presented file, and what programs do to it.
  @Suite struct Items {
    @Test(arguments: Engine.allCases)
    func `a write in place is one change`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")

      try await w.shell("echo more >>f")

      #expect(await w.events() == [.itemChanged])
    }

    @Test(
      arguments: Engine.allCases,
      [
        "echo new >t; mv t f",
        "mv f f~; echo new >f; chmod 600 f; rm f~",
        "rm f; echo new >f",
        "sed -i s/old/new/ f",
        "perl -i -pe s/old/new/ f",
        "echo new >../src-$$; cp ../src-$$ f; rm ../src-$$",
        "echo new >../src-$$; mv ../src-$$ f",
        "echo longer >../src-$$; rsync ../src-$$ f; rm ../src-$$",
        "echo longer >../src-$$; rsync -a --inplace ../src-$$ f; rm ../src-$$",
        "echo longer >../src-$$; install ../src-$$ f; rm ../src-$$",
        "truncate -s 1 f",
        "dd if=/dev/zero of=f count=1",
        "dd if=/dev/zero of=f count=1 conv=notrunc,fsync",
        "vim -u NONE -es -c 'set backupcopy=yes' -c 's/old/new/' -c wq f </dev/null",
        "vim -u NONE -es -c 'set backupcopy=no' -c 's/old/new/' -c wq f </dev/null",
        "vim -u NONE -es -c 'set backupcopy=auto' -c 's/old/new/' -c wq f </dev/null",
        "vim -u NONE -es -c 'set backupcopy=no backup' -c 's/old/new/' -c wq f </dev/null",
        "printf '%s\\n' '--- f' '+++ f' '@@ -1 +1 @@' '-old' '+new' | patch f",
        // It puts a lock file there once it runs, and takes it away when it ends.
        "(until [ -e .f.swp ]; do :; done; printf 'x\\017\\r\\030'; while [ -e .f.swp ]; do :; done) | TERM=xterm script -qec 'nano -IG f' /dev/null",
        "emacs -Q --batch f --eval '(progn (insert \"new\") (save-buffer))'",
        "emacs -Q --batch f --eval '(progn (setq file-precious-flag t) (insert \"new\") (save-buffer))'",
        "dd if=/dev/zero of=f bs=1 count=40 oflag=sync conv=notrunc",
        "mkdir ../tar-$$; echo new >../tar-$$/f; tar c -C ../tar-$$ f | tar x; rm -r ../tar-$$",
      ]
    )
    func `a save by a program is one change, and so is the next`(
      _ engine: Engine,
      _ save: String
    ) async throws {
      let w = try Watcher(engine) { File("f", "old\n") }
      w.watch("f")

      try await w.shell(save)
      #expect(await w.events() == [.itemChanged])

      try await w.shell("echo old >f")
      #expect(await w.events() == [.itemChanged])
      try await w.shell(save)
      #expect(await w.events() == [.itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `a file that goes elsewhere is followed`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        File("f", "old")
        Directory("d")
      }
      w.watch("f")

      try await w.shell("mv f g")
      #expect(await w.events() == [.itemMoved(to: w.path("g"))])

      try await w.shell("echo more >>g")
      #expect(await w.events() == [.itemChanged])

      // d is watched by nobody.
      try await w.shell("mv g d/h")
      #expect(await w.events() == [.itemMoved(to: w.path("d/h"))])

      try await w.shell("echo more >t; mv t d/h")
      #expect(await w.events() == [.itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `a file whose parents move is followed`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { Directory("a") { Directory("b") { File("f", "old") } } }
      w.watch("a/b/f")

      try await w.shell("mv a z")
      #expect(await w.events() == [.itemMoved(to: w.path("z/b/f"))])

      try await w.shell("mv z/b y")
      #expect(await w.events() == [.itemMoved(to: w.path("y/f"))])

      try await w.shell("echo more >>y/f")
      #expect(await w.events() == [.itemChanged])
    }

    @Test(arguments: Engine.allCases)
    func `a deletion is reported once, and so is the return`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { Directory("a") { Directory("b") { File("f", "old") } } }
      w.watch("a/b/f")

      try await w.shell("rm a/b/f")
      #expect(await w.events() == [.itemDeleted])
      try await w.shell("rm -r a")
      #expect(await w.events() == [])

      try await w.shell("mkdir -p a/b; echo new >a/b/f")
      #expect(await w.events() == [.itemReturned])
      try await w.shell("echo more >>a/b/f")
      #expect(await w.events() == [.itemChanged])
      try await w.shell("rm -r a")
      #expect(await w.events() == [.itemDeleted])
    }

    @Test(arguments: Engine.allCases)
    func `changed attributes alone are said to be that`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")

      try await w.shell("chmod 640 f")
      #expect(await w.events() == [.itemAttributesChanged])
      try await w.shell("touch -d 2001-01-01 -c f; chmod 600 f")
      let events = await w.events()
      #expect(events == [.itemAttributesChanged] || events == [.itemChanged])
    }

    // H22: a foreign writer truncates, waits, writes in parts and closes.
    @Test(arguments: Engine.allCases)
    func `nothing is reported between truncation and close`(_ engine: Engine) async throws {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      let file = try Descriptor.open(w.path("f"), [.writeOnly, .truncate])
      #expect(try await never { !w.log.all.isEmpty })

      for _ in 0..<10 { try file.write([UInt8](repeating: 1, count: 100_000)) }
      _ = consume file

      #expect(await w.events() == [.itemChanged])
    }

    // H03: a third process keeps the old file open.
    @Test(arguments: Engine.allCases)
    func `a file that is replaced while open elsewhere is seen at once`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) { File("f", "old") }
      let open = try Descriptor.open(w.path("f"), .readOnly)
      w.watch("f")

      try await w.shell("echo new >t; mv t f")

      #expect(await w.events() == [.itemChanged])
      withExtendedLifetime(open.number) {}
    }

    // H19: several files, saved at the same time.
    @Test(arguments: Engine.allCases)
    func `files saved together are reported each`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        File("a")
        File("b")
        File("c")
      }
      let logs = ["a": EventLog(), "b": EventLog(), "c": EventLog()]
      for (name, log) in logs { w.watch(name, into: log) }

      for _ in 0..<3 {
        try await w.shell("for f in a b c; do echo $f$$ >$f.t; mv $f.t $f; done")
        await w.settle()
        for log in logs.values { #expect(log.take() == [.itemChanged]) }
      }
    }

    // H17, B10: one file under several names, one directory under several spellings.
    @Test(arguments: Engine.allCases)
    func `every watcher is told under its own spelling`(_ engine: Engine) async throws {
      let w = try Watcher(engine) {
        Directory("real") { Directory("d") { File("f", "old") } }
        Link("s", to: "real")
      }
      try await w.shell("ln real/d/f g")
      let (direct, linked, hard, tree) = (EventLog(), EventLog(), EventLog(), EventLog())
      w.watch("real/d/f", into: direct)
      w.watch("s/d/f", into: linked)
      w.watch("g", into: hard)
      w.watch("s/d", .tree, into: tree)

      for write in ["echo 1 >>real/d/f", "echo 2 >>s/d/f", "echo 3 >>g"] {
        try await w.shell(write)
        await w.settle()
        #expect(direct.take() == [.itemChanged], "\(write)")
        #expect(linked.take() == [.itemChanged], "\(write)")
        #expect(hard.take() == [.itemChanged], "\(write)")
        #expect(tree.take() == [.subitemChanged(w.path("s/d/f"))], "\(write)")
      }

      try await w.shell("mv real/d/f real/d/h")
      await w.settle()
      #expect(direct.take() == [.itemMoved(to: w.path("real/d/h"))])
      #expect(linked.take() == [.itemMoved(to: w.path("s/d/h"))])
      #expect(
        tree.take() == [.subitemMoved(from: w.path("s/d/f"), to: w.path("s/d/h"))]
      )
    }

    @Test(arguments: Engine.allCases)
    func `a writer that keeps the file open is reported now and then`(_ engine: Engine)
      async throws
    {
      let w = try Watcher(engine) { File("f", "old") }
      w.watch("f")
      let file = try Descriptor.open(w.path("f"), [.writeOnly, .append])
      let begin = MonotonicInstant.now
      while MonotonicInstant.now - begin < .milliseconds(2500) {
        try file.write([1])
        await Task.yield()
      }
      let count = w.log.all.count
      #expect((1...3).contains(count))
      #expect(w.log.take().allSatisfy { $0 == .itemChanged })
      _ = consume file
      await w.settle()
    }
  }
}
