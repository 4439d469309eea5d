import LinuxSystem
import TestSupport
import Testing
import VersionStore

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct VersionsVerbTests {
  let world: World
  let data: String
  init() throws {
    world = try World {
      File("a", "first")
      Directory("data")
    }
    data = world.path("data")
  }

  func store() throws -> VersionStore {
    try VersionStore(FilePath(data).appending("file-coordination").appending("versions"))
  }
  func filecoord(_ words: String) async throws -> Tool.Result {
    try await world.shell("XDG_DATA_HOME=\(data) filecoord versions \(words)")
  }

  @Test func `versions are listed, shown, restored and pruned`() async throws {
    #expect(try await filecoord("list").output == "")
    let path = world.files.appending("a")
    let first = try store().add(to: path, contentsOf: path)
    try world.put("a", "second")
    let list = try await filecoord("list \(path)")
    #expect(list.output.contains("\(first.id)  ") && list.output.contains("5 bytes  version"))
    #expect(try await filecoord("list --json").output.contains("\"path\":\"\(path)\""))
    #expect(try await filecoord("show \(path) \(first.id)").output == "first")

    #expect(try await filecoord("restore \(path) \(first.id)").status == 0)
    #expect(try world.contents("a") == "first")
    let kept = try store().versions(of: path)
    #expect(kept.count == 2)
    #expect(try await filecoord("show \(path) \(kept[1].id)").output == "second")

    #expect(try await filecoord("prune --keep=1 --dry-run").output.contains("\(path)"))
    #expect(try store().versions(of: path).count == 2)
    #expect(try await filecoord("prune --keep=1").status == 0)
    #expect(try store().versions(of: path).map(\.id) == [kept[1].id])
  }

  @Test func `what is not there is said with its status`() async throws {
    #expect(try await filecoord("show \(world.path("a")) 7").status == 66)
    #expect(try await filecoord("show \(world.path("a")) x").status == 64)
    #expect(try await filecoord("frob").status == 64)
    #expect(try await filecoord("").status == 64)
  }
}
