import DocumentTypes
import LinuxSystem
import TestSupport
import Testing

@testable import PortalPicker

/// The document picker through the real portal, with a user who does what a script says.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct PortalPickerTests {
  private static let attribute = "user.x-document-source"
  private let place: TemporaryDirectory
  init() throws { place = try TemporaryDirectory() }

  /// A file that the user can name before there is a world.
  private func file(_ name: String, _ text: String = "text") throws -> String {
    try File(name, text).write(into: place.path)
    return place.path.appending(name).description
  }
  private func path(_ name: String) -> String { place.path.appending(name).description }
  private func exists(_ path: String) -> Bool { FileSystem.exists(FilePath(path)) }
  private func text(_ path: String) throws -> String {
    let bytes = try Descriptor.open(FilePath(path), .readOnly).readToEnd()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `open gives the picked files where they are; the dialog knows types and folder`()
    async throws
  {
    let (a, b) = (try file("a b#.txt"), try file("b.md"))
    let world = try await PickingWorld([
      PickingWorld.pick(a.replacing(" ", with: "%20").replacing("#", with: "%23"), b)
    ])
    let outcome = try await world.run(
      "--multiple",
      "--types",
      "public.plain-text",
      "--folder",
      place.path.description
    )
    #expect(outcome.lines == [a, b] && outcome.status == 0)
    let line = try #require(try await world.mock?.expect("OpenFile "))
    #expect(line.contains("'multiple': <true>") && line.contains("'text/plain'"))
    #expect(line.contains("'*.[tT][xX][tT]'") && line.contains("'_Open'"), "\(line)")
  }

  @Test func `statement 28: a file of another type is refused, though the portal returned it`()
    async throws
  {
    for mode in ["open", "import"] {
      let world = try await PickingWorld([PickingWorld.pick(try file("p.png"))])
      let outcome = try await world.run("--mode", mode, "--types", "public.plain-text")
      #expect(outcome.status != 0)
      #expect(outcome.lines.contains { $0.contains("not of a type that was asked for") })
    }
  }

  @Test func `folders are asked for as folders`() async throws {
    let world = try await PickingWorld([PickingWorld.pick(place.path.description)])
    let outcome = try await world.run("--types", "public.folder")
    #expect(outcome.lines.count == 1 && outcome.status == 0)
    let line = try #require(try await world.mock?.expect("OpenFile "))
    #expect(line.contains("'directory': <true>") && !line.contains("filters"))
  }

  @Test func `statement 23: who cancels picks nothing`() async throws {
    let world = try await PickingWorld(["cancel", "end"])
    for _ in 0..<2 {
      let outcome = try await world.run()
      #expect(outcome.lines.isEmpty && outcome.status == 1)
    }
  }

  @Test func `export copies under the name that the user gives, and asks again for a taken one`()
    async throws
  {
    let (source, taken) = (try file("f.txt"), try file("taken.txt", "other"))
    let world = try await PickingWorld([
      PickingWorld.pick(taken), PickingWorld.pick(path("new.txt")),
    ])
    let outcome = try await world.run(
      "--mode=export",
      "--folder",
      place.path.description,
      source
    )
    #expect(outcome.lines == [path("new.txt")] && outcome.status == 0)
    #expect(try text(path("new.txt")) == "text")
    #expect(try text(taken) == "other" && text(source) == "text")
    let line = try #require(try await world.mock?.expect("SaveFile "))
    #expect(line.contains("'current_name': <'f.txt'>"))
    #expect(line.contains("'current_folder': <b'\(place.path)/'>"))
    try await world.mock?.expect("SaveFile ")
  }

  @Test func `several files are moved; the dot that the dialog of GTK loses is put back`()
    async throws
  {
    let (a, b) = (try file("a.txt", "new"), try file("b.tar.gz", "archive"))
    let there = place.path.appending("there")
    try FileSystem.makeDirectory(there)
    try File("a.txt", "old").write(into: there)
    try File("a(1).txt", "older").write(into: there)
    let world = try await PickingWorld([
      PickingWorld.pick("\(there)/a(1)txt", "\(there)/b(1)tar.gz")
    ])
    let outcome = try await world.run("--mode=move", a, b)
    #expect(outcome.lines == ["\(there)/a(2).txt", "\(there)/b(1).tar.gz"])
    #expect(try text("\(there)/a(2).txt") == "new" && text("\(there)/a.txt") == "old")
    #expect(!exists(a) && !exists(b) && !exists("\(there)/a(1)txt"))
    #expect(try await world.mock?.expect("SaveFiles ").contains("b'a.txt', b'b.tar.gz'") == true)
  }

  @Test func `names are repaired where the dot is lost, and left alone elsewhere`() {
    let folder = place.path
    func repaired(_ given: String, _ asked: String) -> String? {
      SavedNames.repaired(folder.appending(given), asked: Array(asked.utf8)).lastComponent
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(repaired("a(1)txt", "a.txt") == "a(1).txt")
    #expect(repaired("a.tar(3)gz", "a.tar.gz") == "a.tar(3).gz")
    for name in ["a.txt", "a(1).txt", "a()txt", "a(x)txt", "other"] {
      #expect(repaired(name, "a.txt") == name)
    }
    #expect(repaired("README(1)", "README") == "README(1)")
    #expect(
      SavedNames.distinct([Array("a.b".utf8)[...], Array("a.b".utf8)[...]]).map {
        String(decoding: $0, as: UTF8.self)
      } == ["a.b", "a(1).b"]
    )
  }

  @Test func `statement 50: the attribute goes along in import, export and move, to any disk`()
    async throws
  {
    let source = try file("f.txt")
    try FileSystem.setAttribute(Self.attribute, to: [1, 2, 3], of: FilePath(source))
    let into = place.path.appending("into")
    try FileSystem.makeDirectory(into)
    let far = try TemporaryDirectory(in: FilePath("/dev/shm"))
    let farther = far.path.appending("f.txt")
    let world = try await PickingWorld([
      PickingWorld.pick(source), PickingWorld.pick(path("copy.txt")),
      PickingWorld.pick("\(farther)"),
    ])
    _ = try await world.run("--mode=import", "--into", "\(into)")
    #expect(try FileSystem.attribute(Self.attribute, of: into.appending("f.txt")) == [1, 2, 3])
    _ = try await world.run("--mode=export", source)
    #expect(try FileSystem.attribute(Self.attribute, of: FilePath(path("copy.txt"))) == [1, 2, 3])
    let moved = try await world.run("--mode=move", source)
    #expect(moved.lines == ["\(farther)"] && !exists(source))
    #expect(try FileSystem.attribute(Self.attribute, of: farther) == [1, 2, 3])
  }

  @Test func `statement 50: a file system without attributes fails nothing`() async throws {
    for name in ["behind", "mount"] { try FileSystem.makeDirectory(place.path.appending(name)) }
    let mounted = try ChildProcess(
      FilePath("/usr/bin/bindfs"),
      ["--no-allow-other", "--xattr-none", path("behind"), path("mount")]
    ).wait()
    try #require(mounted == .exited(0), "needs /dev/fuse and the Debian package bindfs")
    defer { _ = try? ChildProcess(FilePath("/bin/umount"), ["-l", path("mount")]).wait() }
    let source = try file("f.txt")
    try FileSystem.setAttribute(Self.attribute, to: [1, 2, 3], of: FilePath(source))
    let world = try await PickingWorld([
      PickingWorld.pick(path("mount/copy.txt")), PickingWorld.pick(path("mount/f.txt")),
    ])
    #expect(try await world.run("--mode=export", source).status == 0)
    #expect(try await world.run("--mode=move", source).status == 0)
    #expect(try text(path("mount/copy.txt")) == "text" && text(path("mount/f.txt")) == "text")
    #expect(throws: SystemError.self) {
      try FileSystem.setAttribute(Self.attribute, to: [1], of: FilePath(path("mount/f.txt")))
    }
  }

  @Test func `statement 26: a picker that is put away closes the dialog`() async throws {
    let world = try await PickingWorld(["wait"])
    let picking = try world.start([])
    try await world.mock?.expect("waiting")
    picking.send(.interrupt)
    try await world.mock?.expect("Close")
    #expect(try await picking.end() == .exited(130))
  }

  @Test(arguments: [
    (PickingWorld.Lack.bus, "cannot be reached"),
    (.portal, "there is no desktop portal"), (.dialogs, "has no file dialogs"),
    (.backend, "backend is not installed"),
  ])
  func `what is missing is said`(lack: PickingWorld.Lack, words: String) async throws {
    let world = try await PickingWorld(without: lack)
    let outcome = try await world.run()
    #expect(outcome.status != 0)
    #expect(outcome.lines.contains { $0.contains(words) }, "\(outcome.lines)")
  }

  @Test func `types become patterns: all that conforms, and no pattern for what anything is`() {
    #expect(UTType.filePatterns(of: [.item, .png]) == nil && UTType.filePatterns(of: []) == nil)
    let image = UTType.filePatterns(of: [.image])
    #expect(image?.mimeTypes.contains("image/*") == true)
    #expect(image?.extensions.contains("png") == true && image?.extensions.contains("txt") == false)
    let own = UTType(filenameExtension: "zzq")
    #expect(own.flatMap { UTType.filePatterns(of: [$0]) }?.extensions == ["zzq"])
  }
}
