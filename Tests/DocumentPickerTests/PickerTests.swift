import LinuxSystem
import TestSupport
import Testing

/// What a program that picks gets: the four operations, with the file system and with a provider.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct PickerTests {
  let world: ProviderWorld
  init() throws {
    world = try ProviderWorld(["a.txt": "whole"])
    try world.world.put("f.txt", "text")
    try FileSystem.makeDirectory(world.world.files.appending("there"))
  }
  var f: String { world.world.path("f.txt") }
  var there: String { world.world.path("there/f.txt") }
  func pick(_ arguments: String...) async throws -> [String] {
    let outcome = try await world.run("picker-peer", arguments)
    #expect(outcome.errors.isEmpty)
    return outcome.lines
  }

  // MARK: import

  @Test func `statements P7 and P8: import copies; the copy lasts until the session closes`()
    async throws
  {
    let before = try FileStatus(of: FilePath(f))
    let lines = try await pick(
      "import",
      "--provider",
      "files",
      "--take",
      f,
      "--read",
      "--close"
    )
    let copy = try #require(lines.first { $0.hasPrefix("picked ") }).dropFirst(7)
    #expect(copy.hasSuffix("/f.txt") && copy != f)
    #expect(lines.contains("text text"))
    #expect(lines.contains("exists false"))
    let after = try FileStatus(of: FilePath(f))
    #expect(after.modified == before.modified && after.size == before.size)
    #expect(try world.world.contents("f.txt") == "text")
  }

  @Test func `statement P9: two items of one name become two copies`() async throws {
    try world.world.put("there/f.txt", "other")
    let lines = try await pick("import", "--provider", "files", "--take", "\(f),\(there)", "--read")
    #expect(Set(lines.filter { $0.hasPrefix("picked ") }).count == 2)
    #expect(lines.filter { $0.hasPrefix("text ") } == ["text text", "text other"])
  }

  @Test func `copies of programs that died are removed by the next`() async throws {
    let first = try await pick("import", "--provider", "files", "--take", f)
    let copy = try #require(first.first { $0.hasPrefix("picked ") }).dropFirst(7)
    #expect(world.exists(FilePath(String(copy))))
    _ = try await pick("import", "--provider", "files", "--take", f)
    #expect(!world.exists(FilePath(String(copy))))
  }

  @Test func `a placeholder is delivered before it is imported`() async throws {
    try world.placeholders("a.txt")
    let lines = try await pick(
      "import",
      "--provider",
      ProviderWorld.identifier,
      "--take",
      world.item("a.txt"),
      "--read"
    )
    #expect(lines.contains("text whole"))
    #expect(world.calls("start") == ["start a.txt"])
  }

  // MARK: open

  @Test func `statement P10: open gives the item itself, and writing changes it`() async throws {
    let lines = try await pick("open", "--provider", "files", "--take", f, "--write", "new")
    #expect(lines.contains("picked \(f)") && lines.contains("scope true"))
    #expect(try world.world.contents("f.txt") == "new")
  }

  @Test
  func `an item of a provider is opened, delivered when it is read, and told of when written`()
    async throws
  {
    try world.placeholders("a.txt")
    let lines = try await pick(
      "open",
      "--provider",
      ProviderWorld.identifier,
      "--take",
      world.item("a.txt"),
      "--read",
      "--write",
      "new"
    )
    #expect(lines.contains("text whole") && lines.contains("written"))
    try await eventually("itemChanged") { world.calls("changed") == ["changed a.txt new"] }
  }

  @Test func `statement P32: a URL outside of the folder fails open and move, but not import`()
    async throws
  {
    try world.put("select", f)
    let id = ProviderWorld.identifier
    let open = try await pick("open", "--provider", id, "--take", world.item("a.txt"))
    #expect(open.contains { $0.hasPrefix("failed urlOutsideStorage") })
    let imported = try await pick(
      "import",
      "--provider",
      id,
      "--take",
      world.item("a.txt"),
      "--read"
    )
    #expect(imported.contains("text text"))
    try world.put("confirm", "outside")
    let move = try await pick("move", "--provider", id, "--sources", f, "--confirm")
    #expect(move.contains { $0.hasPrefix("failed urlOutsideStorage") })
    #expect(try world.world.contents("f.txt") == "text")
  }

  @Test func `statement P28: what is no type that was asked for is refused`() async throws {
    let lines = try await pick("open", "--types", "public.png", "--provider", "files", "--take", f)
    #expect(lines.contains { $0.hasPrefix("failed wrongType") })
  }

  // MARK: export and move

  @Test func `statement P11: export leaves the source, and gives no access to the copy`()
    async throws
  {
    let lines = try await pick("export", "--provider", "files", "--sources", f, "--to", there)
    #expect(lines.contains("picked \(there)") && lines.contains("scope false"))
    #expect(try world.world.contents("f.txt") == "text")
    #expect(try world.world.contents("there/f.txt") == "text")
  }

  @Test func `statement P13: move gives access to the moved file, which reads as before`()
    async throws
  {
    let lines = try await pick(
      "move",
      "--provider",
      "files",
      "--sources",
      f,
      "--to",
      there,
      "--read"
    )
    #expect(lines.contains("scope true") && lines.contains("text text"))
    #expect(!world.world.exists("f.txt"))
  }

  @Test func `export and move replace nothing`() async throws {
    try world.world.put("there/f.txt", "other")
    for mode in ["export", "move"] {
      let lines = try await pick(mode, "--provider", "files", "--sources", f, "--to", there)
      #expect(lines.contains { $0.hasPrefix("failed destinationExists") })
      #expect(try world.world.contents("there/f.txt") == "other")
      #expect(try world.world.contents("f.txt") == "text")
    }
  }

  @Test func `statement P13: a provider takes a file; the original goes`() async throws {
    let lines = try await pick(
      "move",
      "--provider",
      ProviderWorld.identifier,
      "--sources",
      f,
      "--confirm",
      "--read"
    )
    #expect(lines.contains("button Take it"))
    #expect(lines.contains("scope true") && lines.contains("text text"))
    #expect(!world.world.exists("f.txt"))
    #expect(try world.text(world.storage.appending("f.txt")) == "text")
  }

  @Test(arguments: [
    ("missing", "destinationMissing"), ("other", "contentMismatch"),
    ("half-die", "providerUnavailable"),
  ])
  func `statement P12: the original stays unless the whole of it is there`(
    _ way: String,
    _ failure: String
  ) async throws {
    try world.put("confirm", way)
    let lines = try await pick(
      "move",
      "--provider",
      ProviderWorld.identifier,
      "--sources",
      f,
      "--confirm"
    )
    #expect(lines.contains { $0.hasPrefix("failed \(failure)") })
    #expect(!lines.contains { $0.hasPrefix("picked") })
    #expect(try world.world.contents("f.txt") == "text")
  }

  @Test func `a provider that hands nothing over counts as cancelled`() async throws {
    try world.put("confirm", "cancel")
    let lines = try await pick(
      "export",
      "--provider",
      ProviderWorld.identifier,
      "--sources",
      f,
      "--confirm"
    )
    #expect(lines.contains("cancelled") && !lines.contains { $0.hasPrefix("picked") })
  }

  @Test func `a provider that dies while it is shown fails the picker`() async throws {
    try world.deliveries("die-in-prepare")
    let lines = try await pick("open", "--provider", ProviderWorld.identifier, "--take", f)
    #expect(lines.contains { $0.hasPrefix("failed providerUnavailable") })
  }

  @Test func `statement P31: the extension knows what is wanted before it prepares`() async throws {
    _ = try await pick(
      "open",
      "--types",
      "public.text",
      "--provider",
      ProviderWorld.identifier
    )
    _ = try await pick("export", "--provider", ProviderWorld.identifier, "--sources", f)
    #expect(
      world.calls("prepare") == [
        "prepare open true original=nil types=public.text",
        "prepare exportToService true original=f.txt types=nil",
      ]
    )
  }

  @Test func `statement P33: a provider that copies in its own name is not told, another is`()
    async throws
  {
    let id = ProviderWorld.identifier
    _ = try await pick("export", "--provider", id, "--sources", f, "--confirm")
    #expect(world.calls("changed").isEmpty)
    try FileSystem.removeFile(world.storage.appending("f.txt"))
    try world.put("confirm", "anonymous")
    _ = try await pick("export", "--provider", id, "--sources", f, "--confirm")
    try await eventually("itemChanged") { world.calls("changed") == ["changed f.txt text"] }
  }

  @Test func `statement P50: attributes go along in import, export and move`() async throws {
    let name = "user.x-document-source"
    try FileSystem.setAttribute(name, to: [1, 2, 3], of: FilePath(f))
    let imported = try await pick("import", "--provider", "files", "--take", f)
    let copy = try #require(imported.first { $0.hasPrefix("picked ") }).dropFirst(7)
    #expect(try FileSystem.attribute(name, of: FilePath(String(copy))) == [1, 2, 3])
    _ = try await pick("export", "--provider", "files", "--sources", f, "--to", there)
    #expect(try FileSystem.attribute(name, of: FilePath(there)) == [1, 2, 3])
    // Another file system: the file is copied there.
    let far = try TemporaryDirectory(in: FilePath("/dev/shm"))
    let target = far.path.appending("f.txt")
    _ = try await pick("move", "--provider", "files", "--sources", f, "--to", "\(target)")
    #expect(!world.world.exists("f.txt"))
    #expect(try world.text(target) == "text")
    // Null: a file system that keeps no attributes, which fails nothing.
    let kept = try FileSystem.attribute(name, of: target)
    #expect(kept == [1, 2, 3] || kept == nil)
  }

  // MARK: delegates

  @Test func `statement P14: cancelling calls that and nothing else`() async throws {
    let lines = try await pick("open", "--provider", "files")
    #expect(lines.filter { $0 == "cancelled" }.count == 1)
    #expect(!lines.contains { $0.hasPrefix("picked") })
  }

  @Test func `statement P15: without the plural method the singular one is called for each`()
    async throws
  {
    try world.world.put("g.txt", "text")
    let g = world.world.path("g.txt")
    let both = try await pick("open", "--provider", "files", "--take", "\(f),\(g)")
    #expect(both.filter { $0.hasPrefix("picked") } == ["picked \(f)", "picked \(g)"])
    let one = try await pick("open", "--singular", "--provider", "files", "--take", f)
    #expect(one.filter { $0.hasPrefix("picked") } == ["picked-one \(f)"])
  }

  @Test func `statement P16: the front end is put away before the delegate hears`() async throws {
    let lines = try await pick("open", "--provider", "files", "--take", f)
    #expect(lines.last == "dismissals 1")
  }

  @Test func `a picker that the program puts away calls nothing`() async throws {
    let lines = try await pick("open", "--held")
    #expect(lines == ["put away", "dismissed", "over"])
  }

  @Test func `a front end that fails is a failure`() async throws {
    let lines = try await pick("open", "--provider", "files", "--fail")
    #expect(lines.contains { $0.hasPrefix("failed frontEndUnavailable") })
  }

  // MARK: choice of provider

  @Test func `statement P17: a picker begins with who was used last`() async throws {
    let id = ProviderWorld.identifier
    let first = try await pick("open", "--take", f)
    #expect(first.contains("shown files"))
    _ = try await pick("import", "--provider", id, "--take", world.item("a.txt"), "--read")
    #expect(try await pick("open").contains("shown \(id)"))
    #expect(try await pick("export", "--sources", f).contains("shown files"))
    _ = try await pick("open", "--provider", "files", "--take", f)
    #expect(try await pick("open").contains("shown files"))
  }

  @Test func `statement P18: one that is switched off or does not fit is passed over`()
    async throws
  {
    let id = ProviderWorld.identifier
    _ = try await pick("open", "--provider", id, "--take", world.item("a.txt"))
    #expect(try await world.run("filecoord", ["providers", "disable", id]).status == 0)
    #expect(try await pick("open").contains("shown files"))
    #expect(try await pick("open").contains("providers files"))
    #expect(try await world.run("filecoord", ["providers", "enable", id]).status == 0)
    #expect(try await pick("open").contains("shown \(id)"))
    try world.declare(
      "peer.json",
      identifier: id,
      group: ProviderWorld.group,
      exec: ["/bin/false"],
      modes: ["exportToService"]
    )
    #expect(try await pick("open").contains("shown files"))
  }

  @Test func `statement P22: types decide who is listed`() async throws {
    try world.declare(
      "pictures.json",
      identifier: "org.example.pictures",
      group: nil,
      exec: ["/bin/false"],
      modes: ["import"],
      types: ["public.image"]
    )
    let pdf = try await pick("import", "--types", "com.adobe.pdf")
    #expect(pdf.contains("providers files,\(ProviderWorld.identifier)"))
    let png = try await pick("import", "--types", "public.png")
    #expect(png.contains("providers files,\(ProviderWorld.identifier),org.example.pictures"))
  }

  // MARK: menus

  @Test func `statement P19: a menu has first options, providers, last options`() async throws {
    let lines = try await pick("import", "--menu", "nobody")
    #expect(
      lines == ["rows First A,First B,Files,Peer,Last A,Last B", "menu-cancelled", "dismissals 0"]
    )
  }

  @Test func `statement P20: an option of one's own runs its handler and nothing else`()
    async throws
  {
    let lines = try await pick("import", "--menu", "First B")
    #expect(lines.dropFirst() == ["handler First B", "dismissals 0"])
  }

  @Test func `statement P21: a provider gives a picker, which the delegate shows`() async throws {
    let lines = try await pick("open", "--menu", "Peer", "--take", world.item("a.txt"))
    #expect(
      lines.dropFirst().prefix(3) == [
        "picker open delegate true", "presented false", "shown \(ProviderWorld.identifier)",
      ]
    )
    #expect(lines.contains("picked \(world.item("a.txt"))"))
  }
}
