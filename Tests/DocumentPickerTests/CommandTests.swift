import Foundation
import LinuxSystem
import TestSupport
import Testing

/// `filecoord pick` and `filecoord providers`, with lines as a pipe gives them.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct CommandTests {
  let world: ProviderWorld
  init() throws {
    world = try ProviderWorld(["a.txt": "whole"])
    try FileTree.write(into: world.world.files) {
      Directory("d") {
        File("b.txt", "b")
        File("c.txt", "c")
        File("p.png", "p")
        Directory("e") { File("x.txt", "x") }
      }
    }
  }
  var d: String { world.world.path("d") }
  func pick(_ arguments: String..., input: String) async throws -> ProviderWorld.Outcome {
    try await world.run("filecoord", ["pick"] + arguments, input: input)
  }

  @Test func `open prints the path that a number picks`() async throws {
    let outcome = try await pick("--folder", d, input: "2\n")
    #expect(outcome.lines == ["\(d)/b.txt"] && outcome.status == 0)
    #expect(outcome.errors.contains("1  e/"))
  }

  @Test func `types hide the others, folders are entered, several are picked in order`()
    async throws
  {
    let outcome = try await pick(
      "--multiple",
      "--types",
      "public.plain-text",
      "--folder",
      d,
      input: "1\n..\n/c\n/\n3 2\n"
    )
    #expect(outcome.lines == ["\(d)/c.txt", "\(d)/b.txt"])
    #expect(!outcome.errors.contains("p.png"))
  }

  @Test func `import copies to a directory, which must not have the name`() async throws {
    let into = world.world.path("into")
    try FileSystem.makeDirectory(FilePath(into))
    let first = try await pick("--mode=import", "--folder", d, "--into", into, input: "2\n")
    #expect(first.lines == ["\(into)/b.txt"])
    #expect(try world.world.contents("into/b.txt") == "b")
    let second = try await pick("--mode=import", "--folder", d, "--into", into, input: "2\n")
    #expect(second.status == 73)
  }

  @Test func `export asks for a name, and move moves`() async throws {
    let e = "\(d)/e"
    let export = try await pick(
      "--mode=export",
      "--provider",
      "files",
      "--folder",
      e,
      "\(d)/b.txt",
      input: "=x.txt\n\n=new.txt\n\n"
    )
    #expect(export.lines == ["\(e)/new.txt"])
    #expect(export.errors.contains("is there already"))
    #expect(try world.world.contents("d/e/new.txt") == "b")
    let move = try await pick(
      "--mode=move",
      "--provider",
      "files",
      "--folder",
      e,
      "\(d)/c.txt",
      input: "\n"
    )
    #expect(move.lines == ["\(e)/c.txt"] && !world.world.exists("d/c.txt"))
  }

  @Test func `the user changes to a provider, whose placeholders are shown`() async throws {
    try world.placeholders("a.txt")
    let outcome = try await pick("--folder", d, input: "@Peer\n1\n")
    #expect(outcome.lines == [world.item("a.txt")])
    #expect(outcome.errors.contains("a.txt  (not here yet)"))
    let read = try await world.run(
      "filecoord",
      ["read", world.item("a.txt"), "--", "cat", world.item("a.txt")]
    )
    #expect(read.output == "whole")
  }

  @Test(arguments: ["", "q\n", "99\nx y\n@nobody\n~~\nq\n"])
  func `nothing picked is status 1`(_ input: String) async throws {
    let outcome = try await pick("--folder", d, input: input)
    #expect(outcome.status == 1 && outcome.output.isEmpty)
  }

  @Test func `wrong use is said`() async throws {
    #expect(try await pick("--mode=nonsense", input: "").status == 64)
    #expect(try await pick("--mode=export", input: "").status == 64)
    #expect(try await pick("--mode=open", "x", input: "").status == 66)
    #expect(try await pick("--types", "nosuchtypeatall/", input: "").status == 64)
    #expect(try await pick("--provider", "nobody", input: "").status == 66)
  }

  @Test func `a bookmark leads back to what was picked`() async throws {
    let outcome = try await pick("--bookmark", "--folder", d, input: "2\n")
    let data = try #require(Data(base64Encoded: outcome.lines.first ?? ""))
    #expect(data.starts(with: Data("SBMK".utf8)))
  }

  @Test func `providers are listed, switched off and on`() async throws {
    try world.declare("bad.json", "{")
    let id = ProviderWorld.identifier
    let first = try await world.run("filecoord", ["providers", "list"])
    #expect(first.lines.contains("on   \(id)  Peer  import,open,export,move"))
    #expect(first.errors.contains("bad.json"))
    #expect(try await world.run("filecoord", ["providers", "disable", id]).status == 0)
    let second = try await world.run("filecoord", ["providers", "list", "--json"])
    #expect(second.lines.contains { $0.contains(#""enabled":false"#) && $0.contains(id) })
    #expect(try await world.run("filecoord", ["providers", "disable", "nobody"]).status == 66)
    #expect(try await world.run("filecoord", ["providers", "enable"]).status == 64)
  }

  @Test func `mounting without the program for it says what to install`() async throws {
    let mount = try await world.run(
      "filecoord",
      ["providers", "mount", ProviderWorld.identifier, d]
    )
    #expect(mount.status == 127 && mount.errors.contains("libfuse3-dev"))
    let unmount = try await world.run("filecoord", ["providers", "unmount", d])
    #expect(unmount.status == 66 && unmount.errors.contains("no mount"))
    #expect(try await world.run("filecoord", ["providers", "mount", "x"]).status == 64)
  }
}
