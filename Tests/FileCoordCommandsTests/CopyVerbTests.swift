import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct CopyVerbTests {
  let world: World
  init() throws {
    world = try World {
      File("a", "aaa")
      File("b", "bbb")
      Directory("d") {
        File("inner", "iii")
        Directory("deep") { File("leaf", "lll") }
        Link("link", to: "inner")
      }
      Directory("e")
    }
  }

  @Test func `a file is copied to a new name and into a directory`() async throws {
    #expect(try await world.filecoord("cp", world.path("a"), world.path("c")).status == 0)
    #expect(try await world.filecoord("cp", world.path("a"), world.path("e")).status == 0)

    #expect(try world.contents("c") == "aaa")
    #expect(try world.contents("e/a") == "aaa")
    #expect(try world.contents("a") == "aaa")
    #expect(try world.list("e") == ["a"])
  }

  @Test func `a replaced file keeps its permissions, a new one gets the source's`() async throws {
    try await world.prepare(
      "chmod 755 a; chmod 604 b; umask 027; filecoord cp a b; filecoord cp a c"
    )

    #expect(try world.contents("b") == "aaa")
    #expect(try FileStatus(of: world.files.appending("b")).permissions == 0o604)
    #expect(try FileStatus(of: world.files.appending("c")).permissions == 0o750)
  }

  /// J01.
  @Test func `a copy onto a link replaces what it points to, and keeps the link`() async throws {
    try await world.prepare("ln -s b link; ln -s nowhere dangling; ln -s a source")

    #expect(try await world.filecoord("cp", world.path("source"), world.path("link")).status == 0)
    #expect(try FileSystem.readLink(world.files.appending("link")) == FilePath("b"))
    #expect(try world.contents("b") == "aaa")
    #expect(try await world.filecoord("cp", world.path("a"), world.path("dangling")).status == 73)
    #expect(!world.exists("nowhere"))
  }

  @Test func `a directory is copied with -r only, links as links`() async throws {
    let refused = try await world.filecoord("cp", world.path("d"), world.path("copy"))
    let result = try await world.filecoord("cp", "-r", world.path("d"), world.path("copy"))

    #expect(refused.status == 1)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try world.list("copy") == ["deep", "inner", "link"])
    #expect(try world.contents("copy/deep/leaf") == "lll")
    #expect(try FileSystem.readLink(world.files.appending("copy/link")) == FilePath("inner"))
    #expect(try world.list() == ["a", "b", "copy", "d", "e"])
  }

  @Test func `into a directory that exists the copy is merged`() async throws {
    try await world.prepare("mkdir -p e/d/deep; echo old > e/d/inner; echo mine > e/d/deep/mine")

    #expect(try await world.filecoord("cp", "-r", world.path("d"), world.path("e")).status == 0)

    #expect(try world.contents("e/d/inner") == "iii")
    #expect(try world.contents("e/d/deep/mine") == "mine\n")
    #expect(try world.contents("e/d/deep/leaf") == "lll")
  }

  @Test func `what would lose data is refused and nothing is touched`() async throws {
    try await world.prepare("ln a hard; mkdir e/a; touch e/a/x; mkfifo fifo")
    for (words, status) in [
      (["a", "a"], 1), (["a", "hard"], 1), (["a", "e"], 1), (["missing", "x"], 66),
      (["a", "no/where"], 73), (["-r", "d", "d/copy"], 1), (["-r", "d", "a"], 1),
      (["a", "fifo"], 1), (["fifo", "x"], 1),
    ] as [([String], Int32)] {
      let paths = words.suffix(2).map { world.path($0) }
      let result =
        words.count == 3
        ? try await world.filecoord("cp", words[0], paths[0], paths[1])
        : try await world.filecoord("cp", paths[0], paths[1])
      #expect(result.status == status, "\(words)")
      #expect(result.errors.split(separator: "\n").count == 1)
    }
    #expect(try world.list() == ["a", "b", "d", "e", "fifo", "hard"])
    #expect(try world.contents("a") == "aaa")
    #expect(try world.list("d") == ["deep", "inner", "link"])
  }

  @Test func `programs save before they are copied`() async throws {
    let watcher = try world.start("watch", world.path("a"), world.path("d/deep/leaf"))
    try await watcher.expect("leaf")

    #expect(try await world.filecoord("cp", world.path("a"), world.path("c")).status == 0)
    try await watcher.expect("savePresentedItemChanges")
    #expect(try await world.filecoord("cp", "-r", world.path("d"), world.path("copy")).status == 0)
    try await eventually("the file in the directory is saved as well") {
      watcher.linesSoFar.contains {
        $0.contains("savePresentedItemChanges") && $0.contains("leaf")
      }
    }
  }

  @Test func `a copy waits for a writer of a file in the directory`() async throws {
    let writer = try world.start(
      "write",
      world.path("d/inner"),
      "--",
      "sh",
      "-c",
      "echo in; read x; echo new > {}"
    )
    try await writer.expect("in")
    let copy = try world.start("cp", "-r", world.path("d"), world.path("copy"))
    #expect(try await never { copy.hasEnded })

    try writer.send("go")

    _ = try await writer.end()
    #expect(try await copy.end().status == 0)
    #expect(try world.contents("copy/inner") == "new\n")
  }

  @Test func `a file in a directory that is closed to us is written in place`() async throws {
    try await world.prepare("chmod 666 b; chmod 644 a; chmod 555 .")
    defer { try? FileSystem.setPermissions(world.files, 0o755) }
    let inode = try FileStatus(of: world.files.appending("b")).inode

    let result = try await world.asNobody("cp", world.path("a"), world.path("b"))

    #expect(result.status == 0, "\(result.errors)")
    #expect(try world.contents("b") == "aaa")
    #expect(try FileStatus(of: world.files.appending("b")).inode == inode)
  }
}
