import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// A tree of 1,000 files, and programs that work on all of it.
  @Suite struct RealTrees {
    private static let make = """
      i=0; while [ $i -lt 40 ]; do mkdir -p t/$i; j=0
      while [ $j -lt 25 ]; do echo "$i $j" >t/$i/$j; j=$((j+1)); done; i=$((i+1)); done
      """
    private static let git =
      "git -c user.name=a -c user.email=a@b -c init.defaultBranch=m -c commit.gpgsign=false"

    @Test(
      arguments: Engine.allCases,
      [
        "find t -type f | xargs sed -i s/^/x/",
        "find t -type f | xargs perl -i -pe s/^/x/",
        "cp -r t u; find u -type f | xargs sh -c 'for f; do echo x >>$f; done' sh; cp -r u/. t; rm -r u",
        "cp -r t u; find u -type f | xargs sh -c 'for f; do echo x >>$f; done' sh; rsync -a u/ t/; rm -r u",
        "cp -r t u; find u -type f | xargs sh -c 'for f; do echo x >>$f; done' sh; rsync -a --inplace u/ t/; rm -r u",
        "cp -r t u; find u -type f | xargs sh -c 'for f; do echo x >>$f; done' sh; (cd u; tar c .) | (cd t; tar x); rm -r u",
        "cd t; for d in *; do for f in $d/*; do echo x >>$f~; mv $f~ $f; done; done",
      ]
    )
    func `a program that changes every file changes each once`(
      _ engine: Engine,
      _ change: String
    ) async throws {
      let w = try Watcher(engine, inMemory: true)
      try await w.shell(Self.make)
      w.watch("t", .tree)

      try await w.shell(change)
      let events = await w.events()

      var changes: [FilePath: Int] = [:]
      for case .subitemChanged(let path) in events { changes[path, default: 0] += 1 }
      let files = try Listing.of(w.path("t")).keys.filter { $0.bytes.count > w.path.count + 5 }
        .filter { path in (try? FileStatus(of: path))?.kind == .regular }
      #expect(files.count == 1000)
      for file in files where changes[file] != 1 {
        Issue.record("\(file): \(changes[file] ?? 0) changes")
      }
      // A directory may be said to have changed times; nothing else may be said.
      for event in events where event != .itemAttributesChanged {
        guard case .subitemChanged(let path) = event else {
          Issue.record("\(event)")
          continue
        }
        if changes[path] == 1 { continue }
        #expect((try? FileStatus(of: path))?.kind == .directory, "\(event)")
      }
    }

    @Test(arguments: Engine.allCases)
    func `git leaves the watcher with the true state`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true)
      let git = Self.git
      try await w.shell(
        """
        \(Self.make)
        cd t; \(git) init -q; \(git) add .; \(git) commit -qm one
        \(git) checkout -qb side
        for d in 1 2 3; do for f in $d/*; do echo side >>$f; done; done
        rm -r 4; mkdir new; echo n >new/n; \(git) add -A; \(git) commit -qm two
        \(git) checkout -q m; for f in 30/*; do echo main >>$f; done
        \(git) commit -qam three
        """
      )
      w.watch("t", .tree)
      var known = Set(try Listing.of(w.path("t")).keys)
      let tree = w.path("t")

      let steps = [
        "\(git) checkout -q side", "\(git) checkout -q m",
        "for f in 8/* 9/*; do echo local >>$f; done; rm -r 10; \(git) stash -q",
        "\(git) stash pop -q", "\(git) checkout -q . ", "\(git) checkout -q side",
        "\(git) rebase -q m", "\(git) checkout -q m", "\(git) gc -q", "rm -rf .git",
      ]
      for step in steps {
        try await w.shell("cd t; \(step)")
        let events = await w.events()
        known = Listing.paths(known, after: events, in: tree)
        #expect(known == Set(try Listing.of(tree).keys), "\(step)")
      }
    }

    @Test(arguments: Engine.allCases)
    func `git checkout changes each differing file once`(_ engine: Engine) async throws {
      let w = try Watcher(engine, inMemory: true)
      let git = Self.git
      try await w.shell(
        """
        \(Self.make)
        cd t; \(git) init -q; \(git) add .; \(git) commit -qm one; \(git) checkout -qb side
        for d in *; do echo side >>$d/1; done; \(git) commit -qam two
        """
      )
      w.watch("t", .tree)

      try await w.shell("cd t; \(git) checkout -q m")
      let events = await w.events()

      let work = events.filter { event in
        if case .subitemChanged(let path) = event { return !path.isInside(w.path("t/.git")) }
        return false
      }
      #expect(Set(work) == Set((0..<40).map { .subitemChanged(w.path("t/\($0)/1")) }))
      #expect(work.count == 40)
    }

    @Test(
      arguments: Engine.allCases,
      [
        "git clone -q s t/copy", "cp -r s t/copy", "tar c s | tar x -C t", "rsync -a s t",
        "mkdir -p t/a/b/c; mv s t/a/b/c/s", "mkdir -p t/a/b/c; cp -r s/. t/a/b/c",
      ]
    )
    func `a program that fills a tree has each thing appear once`(
      _ engine: Engine,
      _ fill: String
    ) async throws {
      let w = try Watcher(engine, inMemory: true)
      try await w.shell("\(Self.make)\nmv t s; mkdir t")
      if fill.hasPrefix("git") {
        try await w.shell("cd s; git init -q; git add .; \(Self.git) commit -qm one")
      }
      w.watch("t", .tree)

      try await w.shell(fill)
      let events = await w.events()

      var appeared: [FilePath: Int] = [:]
      for case .subitemAppeared(let path) in events { appeared[path, default: 0] += 1 }
      let there = Set(try Listing.of(w.path("t")).keys)
      #expect(there.count > 1000)
      #expect(there.filter { appeared[$0] == nil }.isEmpty)
      #expect(appeared.filter { $1 > 1 }.isEmpty)
      #expect(Listing.paths([], after: events, in: w.path("t")) == there)
    }
  }
}
