import LinuxSystem
import TestSupport
import Testing

/// The sample provider, as a user has it: declared by itself, started by whoever needs it.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct NotesProviderTests {
  static let identifier = "org.swift-file-coordination.notes"
  let world: ProviderWorld
  init() throws {
    world = try ProviderWorld()
    try FileSystem.makeDirectories(store)
    try File("idea.txt", "an idea").write(into: store)
    try world.world.put("mine.txt", "mine")
    try world.world.put("mine.pages", "mine")
  }
  var store: FilePath { world.data.appending("notes-provider").appending("store") }
  var storage: FilePath {
    world.data.appending(Self.identifier).appending("File Provider Storage")
  }
  func install() async throws {
    #expect(try await world.run("notes-provider", ["--install"]).status == 0)
  }
  func pick(_ arguments: String..., input: String) async throws -> ProviderWorld.Outcome {
    try await world.run(
      "filecoord",
      ["pick", "--provider", Self.identifier] + arguments,
      input: input
    )
  }

  @Test func `its notes are shown, delivered when read, and stored when written`() async throws {
    try await install()
    let outcome = try await pick(input: "1\n")
    let note = storage.appending("idea.txt")
    #expect(outcome.lines == [note.description])
    #expect(outcome.errors.contains("(not here yet)"))
    let read = try await world.run(
      "filecoord",
      ["read", note.description, "--", "cat", note.description]
    )
    #expect(read.output == "an idea")
    let write = try await world.run(
      "filecoord",
      ["write", note.description, "--", "sh", "-c", "printf better > '\(note)'"]
    )
    #expect(write.status == 0)
    try await eventually("stored") { try world.text(store.appending("idea.txt")) == "better" }
  }

  @Test func `it takes text, with a button that says what happens`() async throws {
    try await install()
    let export = try await pick("--mode=export", "mine.txt", input: "\n")
    #expect(export.errors.contains("Export to Notes"))
    #expect(export.status == 0 && world.world.exists("mine.txt"))
    #expect(try world.text(store.appending("mine.txt")) == "mine")
    let move = try await pick("--mode=move", "mine.txt", input: "\n")
    #expect(move.errors.contains("Move to Notes"))
    #expect(move.lines == [storage.appending("mine 2.txt").description])
    #expect(!world.world.exists("mine.txt"))
    #expect(try world.text(store.appending("mine 2.txt")) == "mine")
  }

  @Test func `it warns of anything else, and takes it not`() async throws {
    try await install()
    let outcome = try await pick("--mode=move", "mine.pages", input: "\nq\n")
    #expect(outcome.errors.contains("Notes only accepts .txt files!"))
    #expect(outcome.status == 1 && world.world.exists("mine.pages"))
  }

  @Test func `a note that is not in the store is an error`() async throws {
    try await install()
    let note = storage.appending("nothing.txt").description
    let outcome = try await world.run("filecoord", ["read", note, "--", "cat", note])
    #expect(outcome.status != 0 && outcome.output.isEmpty)
    #expect(outcome.errors.contains("there is no note"))
  }

  @Test func `the seeds' provider is shown with its button and its warning, and takes text`()
    async throws
  {
    let seed = try ProviderWorld(program: "seed-provider")
    try seed.world.put("mine.txt", "mine")
    try seed.world.put("mine.pages", "mine")
    let id = ProviderWorld.identifier
    let wrong = try await seed.run(
      "filecoord",
      ["pick", "--provider", id, "--mode=move", "mine.pages"],
      input: "\nq\n"
    )
    #expect(wrong.errors.contains("CleverNote only accepts .txt files!") && wrong.status == 1)
    let right = try await seed.run(
      "filecoord",
      ["pick", "--provider", id, "--mode=move", "mine.txt"],
      input: "\n"
    )
    #expect(right.errors.contains("Move to CleverNote"))
    #expect(right.lines == [seed.item("mine.txt")] && !seed.world.exists("mine.txt"))
    // Its delivery needs the contents to be there already: nothing there is an error (ruled so).
    try seed.placeholders("gone.txt")
    let gone = seed.item("gone.txt")
    #expect(try await seed.run("filecoord", ["read", gone, "--", "cat", gone]).status != 0)
  }
}

/// The editor and the picker on a real terminal.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct TerminalTests {
  let world: ProviderWorld
  let store: FilePath
  init() throws {
    world = try ProviderWorld()
    store = world.data.appending("notes-provider").appending("store")
    try FileSystem.makeDirectories(store)
    try File("idea.txt", "an idea\n").write(into: store)
    try FileTree.write(into: world.world.files) {
      Directory("d") {
        File("b.txt", "b")
        File("c.txt", "c")
        File("p.png", "p")
      }
    }
  }
  private func terminal(_ program: String, _ arguments: [String]) throws -> Terminal {
    var variables: [String: String] = [:]
    for variable in world.environment {
      let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 { variables[parts[0]] = parts[1] }
    }
    return try Terminal(World.product(program), arguments, environment: variables)
  }

  @Test func `a note of the provider is edited, and the provider's store has what was saved`()
    async throws
  {
    #expect(try await world.run("notes-provider", ["--install"]).status == 0)
    let terminal = try terminal("notes", ["--pick"])
    try await terminal.shows("Open from Files")
    try terminal.press("Tab")
    try await terminal.shows("Open from Notes")
    try await terminal.shows("idea.txt  (not here yet)")
    try terminal.press("Enter")
    try await terminal.shows("idea.txt — saved")
    try await terminal.shows("an idea")
    try terminal.type("better: ")
    try terminal.press("C-s")
    try await eventually("stored") {
      try world.text(store.appending("idea.txt")) == "better: an idea\n"
    }
    try terminal.press("C-q")
    try await eventually("its end") { !terminal.isRunning }
  }

  @Test func `keys filter, tick and take`() async throws {
    let out = world.world.path("out")
    let filecoord = try World.product("filecoord").description
    let script =
      "'\(filecoord)' pick --multiple --folder '\(world.world.path("d"))'; echo $? > '\(out)'; cat"
    let terminal = try Terminal(
      FilePath("/bin/sh"),
      ["-c", script],
      environment: Dictionary(
        uniqueKeysWithValues: world.environment.map { variable in
          let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
          return (parts[0], parts.count > 1 ? parts[1] : "")
        }
      )
    )
    try await terminal.shows("p.png")
    try terminal.press("Down", "Space", "Up", "Space")
    try await terminal.shows("* b.txt")
    try terminal.type("/png")
    try terminal.press("Enter")
    try await eventually("only one is shown") {
      try !terminal.screen.contains { $0.contains("b.txt") }
    }
    try terminal.press("Enter")
    try await terminal.shows("d/c.txt")
    try await terminal.shows("d/b.txt")
    #expect(try world.world.contents("out") == "0\n")
  }

  @Test func `q picks nothing`() async throws {
    let terminal = try terminal("notes", ["--pick"])
    try await terminal.shows("Open from Files")
    try terminal.press("q")
    try await eventually("its end") { !terminal.isRunning }
  }
}
