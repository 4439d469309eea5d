import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct MoveVerbTests {
  let world: World
  init() throws {
    world = try World {
      File("a", "aaa")
      File("b", "bbb")
      Directory("d") { File("inner", "iii") }
      Directory("empty")
    }
  }

  @Test func `a file is renamed`() async throws {
    #expect(try await world.filecoord("mv", world.path("a"), world.path("c")).status == 0)

    #expect(try world.contents("c") == "aaa")
    #expect(!world.exists("a"))
  }

  @Test func `a file replaces a file, and moves into a directory`() async throws {
    #expect(try await world.filecoord("mv", world.path("a"), world.path("b")).status == 0)
    #expect(try world.contents("b") == "aaa")
    #expect(try await world.filecoord("mv", world.path("b"), world.path("d/")).status == 0)
    #expect(try world.contents("d/b") == "aaa")
    #expect(try world.list() == ["d", "empty"])
  }

  @Test func `a directory replaces only an empty one`() async throws {
    try FileSystem.makeDirectory(world.files.appending("empty").appending("d"), mode: 0o755)
    #expect(try await world.filecoord("mv", world.path("d"), world.path("empty")).status == 0)
    #expect(try world.contents("empty/d/inner") == "iii")

    try await world.prepare("mkdir d; touch d/other")
    let refused = try await world.filecoord("mv", world.path("d"), world.path("empty"))
    #expect(refused.status == 73)
    #expect(try world.list("d") == ["other"])
    #expect(try world.contents("empty/d/inner") == "iii")
  }

  @Test func `what would lose data is refused and nothing is touched`() async throws {
    try await world.prepare("ln a hard; ln -s a link")
    for (words, status) in [
      (["a", "a"], 1), (["a", "hard"], 1), (["a", "./a"], 1), (["d", "d"], 1),
      (["d", "d/sub"], 1), (["d", "a"], 1), (["missing", "x"], 66), (["a", "no/where"], 73),
      (["a", "new/"], 73),
    ] as [([String], Int32)] {
      let result = try await world.filecoord("mv", world.path(words[0]), world.path(words[1]))
      #expect(result.status == status, "\(words)")
      #expect(result.errors.hasPrefix("filecoord: mv: "))
    }
    #expect(try world.list() == ["a", "b", "d", "empty", "hard", "link"])
    #expect(try world.contents("a") == "aaa")
    #expect(try world.contents("d/inner") == "iii")
  }

  @Test func `a link is moved, not followed, and replaced, not written through`() async throws {
    try await world.prepare("ln -s a link; ln -s b other")
    #expect(try await world.filecoord("mv", world.path("link"), world.path("moved")).status == 0)
    #expect(try FileSystem.readLink(world.files.appending("moved")) == FilePath("a"))
    #expect(try await world.filecoord("mv", world.path("a"), world.path("other")).status == 0)
    #expect(try FileStatus(of: world.files.appending("other")).kind == .regular)
    #expect(try world.contents("b") == "bbb")
  }

  @Test func `to another file system everything goes along`() async throws {
    let other = try OtherFileSystem(unlike: world.files)
    try await world.prepare(
      """
      mkdir d/deep; ln -s nowhere d/deep/link; echo x > d/deep/tool; chmod 750 d/deep/tool
      touch -d '2001-02-03 04:05:06 UTC' d/inner; chmod 711 d
      """
    )

    let result = try await world.filecoord("mv", world.path("d"), "\(other.path)/d")

    #expect(result.status == 0, "\(result.errors)")
    #expect(!world.exists("d"))
    let there = other.path.appending("d")
    #expect(try FileStatus(of: there).permissions == 0o711)
    #expect(try FileStatus(of: there.appending("inner")).modified.seconds == 981_173_106)
    #expect(try FileStatus(of: there.appending("deep/tool")).permissions == 0o750)
    #expect(try FileSystem.readLink(there.appending("deep/link")) == FilePath("nowhere"))
    #expect(try FileSystem.list(other.path) == [Array("d".utf8)])
  }

  @Test func `what cannot be copied is not moved to another file system`() async throws {
    let other = try OtherFileSystem(unlike: world.files)
    try await world.prepare("mkfifo d/fifo")

    let result = try await world.filecoord("mv", world.path("d"), "\(other.path)/d")

    #expect(result.status == 1)
    #expect(try world.list("d") == ["fifo", "inner"])
    #expect(try FileSystem.list(other.path).isEmpty)
  }

  @Test func `presenters follow the move`() async throws {
    let watcher = try world.start("watch", "--json", world.path("a"), world.path("d/inner"))
    try await watcher.expect("inner")

    #expect(try await world.filecoord("mv", world.path("a"), world.path("c")).status == 0)
    let file = try await watcher.expect("presentedItemDidMove")
    #expect(file.contains(#""newPath":"\#(world.path("c"))""#))
    #expect(try await world.filecoord("mv", world.path("d"), world.path("e")).status == 0)
    try await watcher.expect(#""newPath":"\#(world.path("e/inner"))""#)

    // They are presented at their new places.
    #expect(try await world.filecoord("write", world.path("c"), "--", "true").status == 0)
    let change = try await watcher.expect("presentedItemDidChange")
    #expect(change.contains(#""path":"\#(world.path("c"))""#))
  }

  @Test func `presenters of what is replaced are asked`() async throws {
    let watcher = try world.start("watch", world.path("b"))
    try await watcher.expect("presenting")

    #expect(try await world.filecoord("mv", world.path("a"), world.path("b")).status == 0)

    try await watcher.expect("accommodatePresentedItemDeletion")
  }

  @Test func `field case K03: two normalisations of a name are two files`() async throws {
    let (composed, decomposed) = ("\u{e9}.txt", "e\u{301}.txt")
    try world.put(composed, "one")

    let moved = try await world.filecoord("mv", world.path(composed), world.path(decomposed))
    #expect(moved.status == 0)
    #expect(!world.exists(composed))
    #expect(try world.contents(decomposed) == "one")
    try world.put(composed, "two")
    #expect(try world.contents(decomposed) == "one")
  }

  @Test(.enabled(if: FoldingFileSystem.isPossible, "needs root, /dev/fuse and ntfs-3g"))
  func `field cases K03, K05: where case makes no difference, only the spelling changes`()
    async throws
  {
    let folding = try await FoldingFileSystem(in: world)
    defer { folding.end() }
    try world.put("folding/a.txt", "text")
    #expect(world.exists("folding/A.TXT"))

    let moved = try await world.filecoord(
      "mv",
      world.path("folding/a.txt"),
      world.path("folding/A.txt")
    )
    #expect(moved.status == 0)
    #expect(try world.contents("folding/a.txt") == "text")
    #expect(try world.list("folding").count == 1)
  }
}

/// A directory on another file system than a given one.
final class OtherFileSystem: Sendable {
  let path: FilePath

  init(unlike place: FilePath) throws {
    let device = try FileStatus(of: place).device
    for base in ["/dev/shm", "/tmp", "/var/tmp"] {
      guard let status = try? FileStatus(of: FilePath(base)), status.device != device else {
        continue
      }
      path = try FileSystem.makeUniqueDirectory(in: FilePath(base), prefix: "fc-")
      return
    }
    throw NotInTime("no second file system to write to")
  }
  deinit { try? FileSystem.removeTree(path) }
}

/// A file system to which `a` and `A` are one name, mounted in the files of a world.
struct FoldingFileSystem {
  private let mount: FilePath

  static var isPossible: Bool {
    Environment.user == 0
      && (["/dev/fuse", "/usr/bin/lowntfs-3g"].allSatisfy { path in
        // Whatever keeps it from being looked at, it cannot be used.
        (try? FileStatus(of: FilePath(path))) != nil
      })
  }

  init(in world: World) async throws {
    mount = world.files.appending("folding")
    try await world.prepare(
      "truncate -s 8M image; /usr/sbin/mkntfs -F -q image; mkdir folding; "
        + "lowntfs-3g -o ignore_case image folding"
    )
  }

  func end() {
    // After a failed test: whoever still uses it loses it.
    _ = try? ChildProcess(FilePath("/bin/umount"), ["-l", mount.description]).wait()
  }
}
