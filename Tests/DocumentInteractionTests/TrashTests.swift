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

  // MARK: directorysizes

  private func sizes(_ trash: FilePath) throws -> [String] {
    let file = try Descriptor.open(trash.appending("directorysizes"), .readOnly)
    return String(decoding: try file.readToEnd(), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  @Test func `the size of a directory is noted as du counts it, that of a file is not`()
    async throws
  {
    let desktop = try Desktop {
      File("file.txt", "x")
      Directory("a b%ü") {
        File("one", String(repeating: "1", count: 10_000))
        Directory("inner") { File("two", "2") }
        Link("link", to: "/usr")
      }
    }
    let top = desktop.file("a b%ü")
    try FileSystem.makeHardLink(top.appending("again"), to: top.appending("one"))
    #expect(
      try await desktop.filecoord("trash", desktop.path("file.txt"), desktop.path("a b%ü")).status
        == 0
    )
    let trash = desktop.data.appending("Trash")
    let item = trash.appending("files").appending("a b%ü")
    let note = trash.appending("info").appending("a b%ü.trashinfo")
    let counted = try await desktop.run("/usr/bin/du", "-sB1", item.description).output
    let bytes = counted.prefix { $0.isNumber }
    let time = try FileStatus(of: note).modified.seconds
    #expect(try sizes(trash) == ["\(bytes) \(time) a%20b%25%C3%BC"])
    #expect(try FileStatus(of: trash.appending("directorysizes")).permissions == 0o600)
    #expect(try FileSystem.list(trash).count == 3, "no temporary file is left")
  }

  @Test func `lines of what is gone or is none go with the next directory, others stay`()
    async throws
  {
    let desktop = try Desktop {
      Directory("one") {}
      Directory("two") {}
    }
    let trash = desktop.data.appending("Trash")
    #expect(try await desktop.filecoord("trash", desktop.path("one")).status == 0)
    let first = try #require(try sizes(trash).first)
    let words = first.split(separator: " ")
    try desktop.put(
      trash.appending("directorysizes"),
      """
      \(first)
      4096 \(words[1]) gone
      4096 12 one
      4096 \(words[1]) ../../etc
      -1 \(words[1]) one
      4096 \(words[1])
      rubbish \u{0} %
      """
    )
    #expect(try await desktop.filecoord("trash", desktop.path("two")).status == 0)
    let lines = try sizes(trash)
    #expect(lines.count == 2)
    #expect(lines.first == first)
    #expect(lines.last?.hasSuffix(" two") == true)
    // One of the same name is another directory.
    try FileSystem.makeDirectory(desktop.file("two"))
    #expect(try await desktop.filecoord("trash", desktop.path("two")).status == 0)
    #expect(try sizes(trash).map { $0.split(separator: " ")[2] } == ["one", "two", "two.2"])
  }

  @Test func `a link in place of the sizes is replaced, not followed`() async throws {
    let desktop = try Desktop {
      Directory("d") {}
      File("precious", "text")
    }
    let trash = desktop.data.appending("Trash")
    try FileSystem.makeDirectories(trash)
    try FileSystem.makeLink(trash.appending("directorysizes"), to: desktop.file("precious"))
    #expect(try await desktop.filecoord("trash", desktop.path("d")).status == 0)
    #expect(try desktop.world.contents("precious") == "text")
    #expect(try sizes(trash).count == 1)
  }

  @Test func `gio gets back what was noted`() async throws {
    let desktop = try Desktop { Directory("d") { File("inner", "text") } }
    #expect(try await desktop.filecoord("trash", desktop.path("d")).status == 0)
    let back = try await desktop.run(
      "/usr/bin/dbus-run-session",
      "--",
      "/usr/bin/gio",
      "trash",
      "--restore",
      "trash:///d"
    )
    #expect(back.status == 0, "\(back.errors)")
    #expect(try desktop.world.contents("d/inner") == "text")
  }

  // MARK: what is in the way

  @Test func `names that are taken in either folder are passed over`() async throws {
    let desktop = try Desktop { File("a.txt", "new") }
    let trash = desktop.data.appending("Trash")
    for name in ["files", "info"] { try FileSystem.makeDirectories(trash.appending(name)) }
    // An item without its note, and a note without its item.
    try desktop.put(trash.appending("files").appending("a.txt"), "old")
    try desktop.put(trash.appending("info").appending("a.2.txt.trashinfo"), "old")
    #expect(try await desktop.filecoord("trash", desktop.path("a.txt")).status == 0)
    func text(_ name: String) throws -> String {
      let file = try Descriptor.open(trash.appending("files").appending(name), .readOnly)
      return String(decoding: try file.readToEnd(), as: UTF8.self)
    }
    #expect(try text("a.txt") == "old")
    #expect(try text("a.3.txt") == "new")
    #expect(!FileSystem.exists(trash.appending("info").appending("a.txt.trashinfo")))
  }

  @Test func `of two names of one file only one goes, and a link goes without what it leads to`()
    async throws
  {
    let desktop = try Desktop {
      File("a.txt", "text")
      Link("dangling", to: "nowhere")
      Directory("Book.bundle") { File("page", "1") }
    }
    try FileSystem.makeHardLink(desktop.file("b.txt"), to: desktop.file("a.txt"))
    #expect(
      try await desktop.filecoord(
        "trash",
        desktop.path("b.txt"),
        desktop.path("dangling"),
        desktop.path("Book.bundle") + "/"
      ).status == 0
    )
    #expect(try desktop.world.list() == ["a.txt"])
    #expect(try desktop.world.contents("a.txt") == "text")
    let files = desktop.data.appending("Trash").appending("files")
    #expect(
      try FileStatus(of: files.appending("b.txt")).inode
        == FileStatus(of: desktop.file("a.txt")).inode
    )
    #expect(try FileSystem.readLink(files.appending("dangling")) == FilePath("nowhere"))
    #expect(try FileSystem.list(files.appending("Book.bundle")) == [Array("page".utf8)])
  }

  @Test func `an item of a folder that may not be changed stays, and the error says so`()
    async throws
  {
    let desktop = try Desktop { Directory("d") { File("a.txt", "text") } }
    try FileSystem.setPermissions(desktop.file("d"), 0o555)
    // Root may change anything; without this right it is like everybody.
    let result = try await desktop.run(
      "/usr/bin/setpriv",
      ["--bounding-set=-dac_override"]
        + [World.product("filecoord").description, "trash", desktop.path("d/a.txt")]
    )
    #expect(result.status == 77)
    #expect(result.errors.contains("a.txt was not moved to the trash, it is where it was"))
    #expect(try desktop.world.contents("d/a.txt") == "text")
    let notes = desktop.data.appending("Trash").appending("info")
    #expect(try FileSystem.list(notes).isEmpty)
    try FileSystem.setPermissions(desktop.file("d"), 0o755)
  }

  @Test(.enabled(if: Environment.user == 0, "mounting needs root"))
  func `on a full file system nothing is lost, and the error says that it is full`() async throws {
    let desktop = try Desktop { Directory("mount") {} }
    let mount = try Mount(desktop.file("mount"), ["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
    try desktop.world.put("mount/a.txt", "text")
    try desktop.world.put("mount/filler", "")
    _ = try await desktop.run(
      "/bin/dd",
      ["if=/dev/zero", "bs=4096", "count=64", "of=\(desktop.path("mount/filler"))"]
    )
    let result = try await desktop.filecoord("trash", desktop.path("mount/a.txt"))
    #expect(result.status == 1)
    #expect(result.errors.contains("the file system of the trash is full"), "\(result.errors)")
    #expect(try desktop.world.contents("mount/a.txt") == "text")
    #expect(try desktop.world.list("mount/.Trash-0/info").isEmpty)
    #expect(try desktop.world.list("mount/.Trash-0/files").isEmpty)
    withExtendedLifetime(mount) {}
  }

  @Test(.enabled(if: Environment.user == 0, "mounting needs root"))
  func `a folder mounted from elsewhere has its own trash, one that is read only has none`()
    async throws
  {
    let desktop = try Desktop {
      Directory("real") { File("a.txt", "text") }
      Directory("bound") {}
      Directory("closed") {}
    }
    // The same file system as the home directory's, and yet nothing can be renamed across.
    let bound = try Mount(desktop.file("bound"), ["--bind", desktop.path("real")])
    let closed = try Mount(desktop.file("closed"), ["-o", "bind,ro", desktop.path("real")])
    let refused = try await desktop.filecoord("trash", desktop.path("closed/a.txt"))
    #expect(refused.status == 1)
    #expect(refused.errors.contains("read only"), "\(refused.errors)")
    let result = try await desktop.filecoord("trash", desktop.path("bound/a.txt"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try desktop.world.contents("real/.Trash-0/files/a.txt") == "text")
    let mounted = try await desktop.filecoord("trash", desktop.path("bound"))
    #expect(mounted.status == 1)
    #expect(mounted.errors.contains("mounted"), "\(mounted.errors)")
    #expect(!desktop.world.exists(".Trash-0"))
    withExtendedLifetime((bound, closed)) {}
  }

  @Test(.enabled(if: Environment.user == 0, "mounting needs root"))
  func `a trash for all users counts only if nobody could have planted it`() async throws {
    let desktop = try Desktop { Directory("mount") {} }
    let mount = try Mount(desktop.file("mount"), ["-t", "tmpfs", "tmpfs"])
    let shared = desktop.file("mount").appending(".Trash")
    func place() async throws -> [String] {
      try desktop.world.put("mount/a.txt", "text")
      let result = try await desktop.filecoord("trash", desktop.path("mount/a.txt"))
      #expect(result.status == 0, "\(result.errors)")
      var found: [String] = []
      for place in [".Trash/0", ".Trash-0"] {
        let files = desktop.file("mount/\(place)/files")
        for name in (try? FileSystem.list(files)) ?? [] {
          found.append(place)
          try FileSystem.removeFile(files.appending(name))
          try FileSystem.removeTree(desktop.file("mount/\(place)/info"))
        }
      }
      return found
    }
    // A link, and one in which everybody removes what is another's.
    try FileSystem.makeLink(shared, to: FilePath("elsewhere"))
    #expect(try await place() == [".Trash-0"])
    try FileSystem.removeFile(shared)
    try FileSystem.makeDirectory(shared)
    try FileSystem.setPermissions(shared, 0o777)
    #expect(try await place() == [".Trash-0"])
    try FileSystem.setPermissions(shared, 0o1777)
    #expect(try await place() == [".Trash/0"])
    #expect(try FileStatus(of: shared.appending("0")).permissions == 0o700)
    // What has our name there is somebody else's.
    try FileSystem.removeTree(shared.appending("0"))
    try FileSystem.makeLink(shared.appending("0"), to: FilePath("/tmp"))
    #expect(try await place() == [".Trash-0"])
    try FileSystem.removeFile(shared.appending("0"))
    try FileSystem.makeDirectory(shared.appending("0"))
    _ = try await desktop.run("/bin/chown", "65534", shared.appending("0").description)
    #expect(try await place() == [".Trash-0"])
    // And where that is so as well, nothing is moved.
    try FileSystem.removeTree(desktop.file("mount/.Trash-0"))
    try FileSystem.makeLink(desktop.file("mount/.Trash-0"), to: FilePath("/tmp"))
    try desktop.world.put("mount/a.txt", "text")
    let refused = try await desktop.filecoord("trash", desktop.path("mount/a.txt"))
    #expect(refused.status == 77)
    #expect(try desktop.world.contents("mount/a.txt") == "text")
    withExtendedLifetime(mount) {}
  }
}

/// Something mounted at a directory for as long as the value lives.
private final class Mount {
  private let path: FilePath

  init(_ path: FilePath, _ words: [String]) throws {
    self.path = path
    let end = try ChildProcess(FilePath("/bin/mount"), words + [path.description]).wait()
    guard end == .exited(0) else { throw NotInTime("cannot mount \(words)") }
  }

  deinit { _ = try? ChildProcess(FilePath("/bin/umount"), ["-l", path.description]).wait() }
}
