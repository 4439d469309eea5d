import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct RemoveVerbTests {
  let world: World
  init() throws {
    world = try World {
      File("a", "aaa")
      File("b", "bbb")
      Link("link", to: "d")
      Directory("d") { Directory("deep") { File("leaf", "lll") } }
    }
  }

  @Test func `files and links are deleted, several at once`() async throws {
    let result = try await world.filecoord("rm", world.path("a"), world.path("link"))

    #expect(result.status == 0)
    #expect(try world.list() == ["b", "d"])
    #expect(try world.list("d") == ["deep"])
  }

  @Test func `a directory is deleted with -r only`() async throws {
    let refused = try await world.filecoord("rm", world.path("d"))
    #expect(refused.status == 1)
    #expect(world.exists("d"))

    #expect(try await world.filecoord("rm", "-r", world.path("d")).status == 0)
    #expect(!world.exists("d"))
  }

  @Test func `a failure does not keep the rest, the first one's status is given`() async throws {
    let result = try await world.filecoord(
      "rm",
      world.path("missing"),
      world.path("d"),
      world.path("a")
    )

    #expect(result.status == 66)
    #expect(result.errors.split(separator: "\n").count == 2)
    #expect(!world.exists("a"))
    #expect(try await world.filecoord("rm", "-f", world.path("missing")).status == 0)
    #expect(try await world.filecoord("rm", "-f").status == 0)
  }

  @Test func `the root, this directory and the one above are not deleted`() async throws {
    for word in ["/", "//", ".", "..", "d/.", "d/..", "./"] {
      let result = try await world.shell("filecoord rm -r \(word)")
      #expect(result.status == 1, "\(word)")
    }
    #expect(world.exists("d/deep/leaf"))
  }

  @Test func `programs that show an item agree first and hear of it`() async throws {
    let watcher = try world.start("watch", world.path("a"), world.path("d/deep/leaf"))
    try await watcher.expect("leaf")

    #expect(try await world.filecoord("rm", world.path("a")).status == 0)
    try await watcher.expect("accommodatePresentedItemDeletion")
    #expect(try await world.filecoord("rm", "-r", world.path("d")).status == 0)
    try await eventually("the file in the directory was asked") {
      watcher.linesSoFar.contains {
        $0.contains("accommodatePresentedItemDeletion") && $0.contains("leaf")
      }
    }
    #expect(!watcher.outputSoFar.contains("presentedItemDidChange "))
  }

  @Test func `a deletion waits for a reader of something inside`() async throws {
    let reader = try world.start(
      "read",
      world.path("d/deep/leaf"),
      "--",
      "sh",
      "-c",
      "echo in; read x; cat {}"
    )
    try await reader.expect("in")
    let remover = try world.start("rm", "-r", world.path("d"))
    #expect(try await never { remover.hasEnded })
    #expect(world.exists("d/deep/leaf"))

    try reader.send("go")

    #expect(try await reader.end().output == "in\nlll")
    #expect(try await remover.end().status == 0)
    #expect(!world.exists("d"))
  }

  @Test func `what may not be deleted ends with 77`() async throws {
    let result = try await world.asNobody("rm", world.path("a"))

    #expect(result.status == 77)
    #expect(world.exists("a"))
  }
}

extension World {
  /// Runs `filecoord` as the user nobody, with a runtime directory of that user's own.
  func asNobody(_ arguments: String...) async throws -> Tool.Result {
    let script = """
      set -e; top=$1; program=$2; shift 2
      chmod 755 "$top"; mkdir -p "$top/nobody"; chown 65534:65534 "$top/nobody"
      cp -u "$program" "$top/filecoord"; chmod 755 "$top/filecoord"
      export FILE_COORDINATION_DIR="$top/nobody"
      exec setpriv --reuid=65534 --regid=65534 --clear-groups -- "$top/filecoord" "$@"
      """
    let top = files.parent?.description ?? ""
    let tool = try Tool(
      FilePath("/bin/sh"),
      ["-c", script, "sh", top, World.product("filecoord").description] + arguments,
      environment: ["PATH=/usr/bin:/bin"]
        + ["LD_LIBRARY_PATH", "TSAN_OPTIONS"].compactMap { name in
          Environment.value(of: name).map { "\(name)=\($0)" }
        }
    )
    return try await tool.end()
  }
}
