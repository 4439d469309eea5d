import Documents
import Foundation
import LinuxSystem
import SafeSaving
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct SafeSaveTests {
  let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder { File("a", "old") }
  }
  func save(_ name: String, _ text: String) throws -> SafeSave.Result {
    try SafeSave(folder.url(name)).write(Data(text.utf8))
  }

  @Test func `a file gets new contents, and a new file its mode from the umask`() throws {
    let before = try folder.status("a").inode
    let result = try save("a", "new")
    #expect(try folder.text("a") == "new")
    #expect(try folder.status("a").inode != before)
    #expect(!result.wasOverwritten)
    _ = try save("b", "made")
    #expect(try folder.status("b").permissions == 0o666 & ~Environment.creationMask)
    #expect(try folder.list() == ["a", "b"])
  }

  @Test func `links are followed and stay (J01)`() throws {
    try FileSystem.makeDirectory(folder.path("d"))
    try FileSystem.makeLink(folder.path("one"), to: FilePath("d/two"))
    try FileSystem.makeLink(folder.path("d/two"), to: FilePath("../three"))
    try FileSystem.makeLink(folder.path("three"), to: folder.path("a"))
    try FileSystem.makeLink(folder.path("dangling"), to: FilePath("made"))
    try FileSystem.makeLink(folder.path("loop"), to: FilePath("loop"))
    _ = try save("one", "through three")
    #expect(try folder.text("a") == "through three")
    #expect(try folder.status("one").kind == .link && folder.status("three").kind == .link)
    _ = try save("dangling", "new")
    #expect(try folder.status("dangling").kind == .link)
    #expect(try folder.text("made") == "new")
    #expect(throws: NSError.self) { try save("loop", "x") }
  }

  @Test func `mode, attributes and times of others stay as documented`() throws {
    try FileSystem.setPermissions(folder.path("a"), 0o751)
    try FileSystem.setAttribute("user.x", to: [7], of: folder.path("a"))
    _ = try save("a", "new")
    #expect(try folder.status("a").permissions == 0o751)
    #expect(try FileSystem.attribute("user.x", of: folder.path("a")) == [7])
  }

  @Test func `other names of a file keep the old contents, or get the new`() throws {
    try FileSystem.makeHardLink(folder.path("b"), to: folder.path("a"))
    _ = try save("a", "new")
    #expect(try folder.text("b") == "old")
    try FileSystem.makeHardLink(folder.path("c"), to: folder.path("a"))
    var shared = SafeSave(folder.url("a"))
    shared.hardLinkRule = .overwriteFile
    #expect(try shared.write(Data("both".utf8)).wasOverwritten)
    #expect(try folder.text("c") == "both")
    #expect(try folder.list() == ["a", "b", "c"])
  }

  @Test func `a name of 255 bytes can be saved (J10)`() throws {
    let name = String(repeating: "ü", count: 127) + "x"
    _ = try save(name, "long")
    _ = try save(name, "longer")
    #expect(try folder.text(name) == "longer")
  }

  @Test func `an item that must be new is not replaced`() throws {
    var save = SafeSave(folder.url("a"))
    save.mustBeNew = true
    let error = #expect(throws: NSError.self) { try save.write(Data()) }
    #expect(error?.code == 516)
    #expect(try folder.text("a") == "old")
  }

  @Test func `a writer that fails leaves nothing, and the next save works (C12)`() throws {
    struct Stop: Error {}
    #expect(throws: NSError.self) {
      try SafeSave(folder.url("a")).write { url, _ in
        try Data("half".utf8).write(to: url)
        throw Stop()
      }
    }
    #expect(try folder.list() == ["a"])
    #expect(try folder.text("a") == "old")
    _ = try save("a", "new")
    #expect(try folder.text("a") == "new")
  }

  @Test func `a package takes the place of a package, in one step`() throws {
    try FileTree.write(into: folder.directory.path) {
      Directory("p") {
        File("x", "old")
        File("gone", "old")
      }
    }
    try FileSystem.setPermissions(folder.path("p"), 0o750)
    try SafeSave(folder.url("p")).write { url, old in
      #expect(old != nil)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
      try Data("new".utf8).write(to: url.appending(path: "x"))
    }
    #expect(try folder.list("p") == ["x"])
    #expect(try folder.list() == ["a", "p"])
    #expect(try folder.status("p").permissions == 0o750)
  }

  @Test func `a file can take the place of a package, and the other way round`() throws {
    try SafeSave(folder.url("a")).write { url, _ in
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    #expect(try folder.status("a").kind == .directory)
    _ = try save("a", "file")
    #expect(try folder.text("a") == "file")
    #expect(try folder.list() == ["a"])
  }

  @Test func `what a killed save left is removed, what others write is not`() throws {
    // A process id that nobody has, in this boot and namespace; and one from elsewhere.
    let own = try TemporaryName.fresh(in: folder.directory.path)
    let digits = String(decoding: own.lastComponent ?? [], as: UTF8.self).dropFirst(4)
    let value = try #require(UInt32(digits, radix: 16))
    let dead = String(value & 0x3ff | 0x3ffffe << 10, radix: 16)
    let foreign = String(value & 0x3ff ^ 0x20 | 0x3ffffe << 10, radix: 16)
    try File(".sb-\(dead)", "half").write(into: folder.directory.path)
    try File(".sb-\(foreign)", "half").write(into: folder.directory.path)
    try File(".sb-notes", "a user's").write(into: folder.directory.path)
    _ = try save("a", "new")
    #expect(try folder.list() == [".sb-\(foreign)", ".sb-notes", "a"])
  }
}
