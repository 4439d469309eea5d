import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DesktopFiles

/// The trash, with `gio trash --list` as the judge where its daemon can run.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct TrashTests {
  private func info(_ desktop: Desktop, _ name: String) throws -> String {
    let path = desktop.data.appending("Trash").appending("info").appending("\(name).trashinfo")
    return String(decoding: try Descriptor.open(path, .readOnly).readToEnd(), as: UTF8.self)
  }

  @Test func `an item goes to the trash with a note of where it was`() async throws {
    let desktop = try Desktop { File("a b%ü.txt", "text") }
    #expect(try await desktop.filecoord("trash", desktop.path("a b%ü.txt")).status == 0)
    #expect(!desktop.world.exists("a b%ü.txt"))
    let lines = try info(desktop, "a b%ü.txt").split(separator: "\n")
    #expect(lines[0] == "[Trash Info]")
    #expect(lines[1] == "Path=\(desktop.world.files)/a%20b%25%C3%BC.txt")
    #expect(lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    let item = desktop.data.appending("Trash").appending("files").appending("a b%ü.txt")
    #expect(try Descriptor.open(item, .readOnly).readToEnd() == Array("text".utf8))
  }

  @Test func `items of one name stand beside each other`() async throws {
    let desktop = try Desktop {}
    for text in ["one", "two", "three"] {
      try desktop.world.put("a.txt", text)
      #expect(try await desktop.filecoord("trash", desktop.path("a.txt")).status == 0)
    }
    let names = try FileSystem.list(desktop.data.appending("Trash").appending("files"))
    #expect(
      names.map { String(decoding: $0, as: UTF8.self) }.sorted() == [
        "a.2.txt", "a.3.txt", "a.txt",
      ]
    )
    #expect(try info(desktop, "a.3.txt").contains("/a.txt\n"))
  }

  @Test func `gio lists what we put there, and can restore it`() async throws {
    let desktop = try Desktop { File("a b.txt", "text") }
    #expect(try await desktop.filecoord("trash", desktop.path("a b.txt")).status == 0)
    let list = try await desktop.run(
      "/usr/bin/dbus-run-session",
      "--",
      "/usr/bin/gio",
      "trash",
      "--list"
    )
    #expect(list.output.contains(desktop.path("a b.txt")), "\(list.errors)")
  }

  @Test func `directories and links go as they are`() async throws {
    let desktop = try Desktop {
      Directory("d") { File("inner", "x") }
      Link("link", to: "d")
    }
    #expect(
      try await desktop.filecoord("trash", desktop.path("link"), desktop.path("d")).status == 0
    )
    let files = desktop.data.appending("Trash").appending("files")
    #expect(try FileStatus(of: files.appending("link")).kind == .link)
    #expect(try FileSystem.list(files.appending("d")).count == 1)
  }

  @Test func `another file system has a trash of its own at its top`() throws {
    let desktop = try Desktop {}
    let place = try TemporaryDirectory(in: FilePath("/dev/shm"))
    let file = place.path.appending("a.txt")
    try desktop.put(file, "text")
    let top = FilePath("/dev/shm/.Trash-\(Environment.user)")
    let wasThere = (try? FileStatus(of: top)) != nil
    let entry = try Trash(
      DesktopDirectories(
        home: desktop.world.files,
        dataHome: desktop.data,
        configHome: desktop.config,
        cacheHome: desktop.cache,
        dataDirectories: []
      )
    ).put(file)
    defer {
      // Left by this test only.
      try? FileSystem.removeFile(entry.item)
      try? FileSystem.removeFile(entry.information)
      if !wasThere { try? FileSystem.removeTree(top) }
    }
    #expect(entry.item.isInside(top))
    let note = String(
      decoding: try Descriptor.open(entry.information, .readOnly).readToEnd(),
      as: UTF8.self
    )
    let relative = place.path.description.dropFirst("/dev/shm/".count)
    #expect(note.contains("Path=\(relative)/a.txt\n"))
  }

  @Test func `a program that shows the item is asked before`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    let log = desktop.file("log")
    let watcher = try ChildProcess(
      FilePath("/bin/sh"),
      ["-c", "exec filecoord watch \"$1\" > \"$2\"", "sh", desktop.path("a.txt"), log.description],
      environment: desktop.environment
    )
    func said(_ text: String) -> Bool {
      let bytes = FileManager.default.contents(atPath: log.description) ?? Data()
      return String(decoding: bytes, as: UTF8.self).contains(text)
    }
    try await eventually("the presenter is there") { said("presenting") }
    #expect(try await desktop.filecoord("trash", desktop.path("a.txt")).status == 0)
    try await eventually("it was asked") { said("accommodatePresentedItemDeletion") }
    watcher.send(.terminate)
    watcher.wait()
  }

  @Test(arguments: [".", "..", "/"])
  func `the ground that one stands on stays`(_ word: String) async throws {
    let desktop = try Desktop {}
    #expect(try await desktop.filecoord("trash", word).status != 0)
  }

  @Test func `a very long name still has its note`() async throws {
    let desktop = try Desktop {}
    let name = String(repeating: "n", count: 251) + ".txt"
    try desktop.world.put(name, "x")
    #expect(try await desktop.filecoord("trash", desktop.path(name)).status == 0)
    let notes = try FileSystem.list(desktop.data.appending("Trash").appending("info"))
    #expect(notes.count == 1)
    #expect(notes[0].count <= 255)
    #expect(String(decoding: notes[0], as: UTF8.self).hasSuffix("n.txt.trashinfo"))
  }
}
