import Documents
import Foundation
import LinuxSystem
import SafeSaving
import TestSupport
import Testing

/// Saves in places where programs have failed: other mounts, mount points, coarse clocks, other owners.
@MainActor
@Suite(
  .timeLimit(.minutes(2)),
  .serialized,
  .tags(.multiProcess),
  .enabled(if: MountedFolder.isPossible(.tmpfs), "mounting is not permitted here")
)
struct PlaceTests {
  init() { DocumentWorld.enter() }

  nonisolated private static func package(_ text: String) -> FileWrapper {
    FileWrapper(directoryWithFileWrappers: [
      "text": FileWrapper(regularFileWithContents: Data(text.utf8)),
      "note": FileWrapper(regularFileWithContents: Data("always".utf8)),
    ])
  }

  @Test(arguments: MountedFolder.Kind.allCases)
  func `documents and packages are saved on every kind of file system (J08, J12)`(
    _ kind: MountedFolder.Kind
  ) async throws {
    guard MountedFolder.isPossible(kind) else { return }
    let mounted = try MountedFolder(kind)
    let file = mounted.path.appending("a.txt")
    let document = TextDocument(file.url())
    document.text = "first"
    #expect(await document.save(to: file.url(), for: .forCreating))
    try FileSystem.setPermissions(file, 0o640)
    document.edit("second")
    #expect(await document.close())
    #expect(try String(contentsOf: file.url(), encoding: .utf8) == "second")
    #expect(try FileStatus(of: file).permissions == 0o640)

    let package = mounted.path.appending("p.rtfd").url()
    try Self.package("one").write(to: package, options: .atomic, originalContentsURL: nil)
    try Self.package("two").write(to: package, options: .atomic, originalContentsURL: package)
    try SafeSave(package).write { new, old in
      try Self.package("three").write(to: new, originalContentsURL: old)
    }
    let text = package.appending(path: "text")
    #expect(try String(contentsOf: text, encoding: .utf8) == "three")
    let names = try FileSystem.list(mounted.path).map { String(decoding: $0, as: UTF8.self) }
    #expect(names.filter { $0 != "lost+found" }.sorted() == ["a.txt", "p.rtfd"])
  }

  @Test(arguments: ["file", "document", "package"])
  func `no other directory is needed than the item's own (J08)`(_ kind: String) async throws {
    let mounted = try MountedFolder(.tmpfs)
    let item = mounted.path.appending("item.rtfd")
    let text = kind == "package" ? item.appending("text") : item
    if kind == "package" {
      try Self.package("old").write(to: item.url(), originalContentsURL: nil)
    } else {
      try File("item.rtfd", "old").write(into: mounted.path)
    }
    let outcome = try await DocumentPeerRun(folder: mounted.folder).run(
      ["save", kind, item.description, "new"],
      below: ["/usr/bin/env", "TMPDIR=/nonexistent"]
    )
    #expect(outcome.end == .exited(0), "\(outcome)")
    #expect(try String(contentsOf: text.url(), encoding: .utf8) == "new")
  }

  @Test(arguments: ["file", "document"])
  func `a file that is a mount point is overwritten, and the copies go (J09)`(_ kind: String)
    async throws
  {
    let folder = try Folder { File("f.txt", "old and longer") }
    let outcome = try await onMountPoint(kind, folder)
    #expect(outcome.end == .exited(0), "\(outcome)")
    #expect(try folder.text("f.txt") == "new")
    #expect(try folder.list().filter { $0.hasPrefix(".") } == [])
    #expect(try folder.list("state/file-coordination/overwriting") == [])
  }

  @Test func `copies stay if a file that is a mount point could not be put right (J09)`()
    async throws
  {
    let folder = try Folder { File("f.txt", "old and longer") }
    // The first call that writes the file itself fails, and so do those that would undo it.
    let outcome = try await onMountPoint(
      "file",
      folder,
      "strace -f -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:error=EIO"
    )
    #expect(outcome.end == .exited(1))
    #expect(outcome.lines.contains { $0.contains("kept in") }, "\(outcome.lines)")
    let logs = try folder.list("state/file-coordination/overwriting")
    let log = "state/file-coordination/overwriting/\(try #require(logs.first))"
    #expect(try folder.text("\(log)/old") == "old and longer")
    #expect(try folder.text("\(log)/committed") == "new")
    // And the next save puts it right first.
    #expect(try await onMountPoint("file", folder).end == .exited(0))
    #expect(try folder.text("f.txt") == "new")
    #expect(try folder.list("state/file-coordination/overwriting") == [])
  }

  /// A save of a file on which the file itself is mounted.
  private func onMountPoint(_ kind: String, _ folder: Folder, _ tracer: String = "") async throws
    -> DocumentPeerRun.Outcome
  {
    let script = "mount --bind \"$0\" \"$0\" && exec \(tracer) \"$@\""
    let file = folder.path("f.txt").description
    return try await DocumentPeerRun(folder: folder).run(
      ["save", kind, file, "new"],
      below: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script, file]
    )
  }

  @Test(.enabled(if: MountedFolder.isPossible(.seconds), "needs mkfs.ext4 and loop devices"))
  func `stamps of whole seconds are nobody else's writing (C13)`() async throws {
    let mounted = try MountedFolder(.seconds)
    try await saveTwice(in: mounted.path) { _ in }
  }

  @Test func `stamps that are rounded after a save are nobody else's writing (C13)`() async throws {
    let folder = try Folder()
    try await saveTwice(in: folder.directory.path) { path in
      // As a provider does that keeps times of two seconds.
      let status = try FileStatus(of: path)
      let rounded = FileStatus.Time(seconds: status.modified.seconds & ~1, nanoseconds: 0)
      try Descriptor.open(path, .readOnly).setModified(rounded)
    }
  }

  /// Opens, edits, saves, waits, edits, saves: no conflict, and nothing is read again.
  private func saveTwice(in directory: FilePath, _ disturb: (FilePath) throws -> Void) async throws
  {
    let path = directory.appending("a.txt")
    try File("a.txt", "old").write(into: directory)
    let document = TextDocument(path.url())
    #expect(await document.open())
    for round in 1...4 {
      document.edit("text \(round)")
      #expect(await document.autosave())
      let known = try #require(document.fileModificationDate)
      let stamp = try FileStatus(of: path).modified
      let seconds = TimeInterval(stamp.seconds) + TimeInterval(stamp.nanoseconds) / 1e9
      #expect(known == Date(timeIntervalSince1970: seconds))
      try disturb(path)
      #expect(try await neverOnMain { document.documentState != [] || document.seen.loads != 1 })
    }
    document.edit("last")
    #expect(await document.close())
    #expect(document.seen.loads == 1 && document.seen.errors.isEmpty)
    #expect(NSFileVersion.otherVersionsOfItem(at: path.url()) == [])
    #expect(try String(contentsOf: path.url(), encoding: .utf8) == "last")
  }

  @Test func `a tree of another owner becomes a version, and the owner does not matter (J16)`()
    async throws
  {
    let folder = try Folder {
      Directory("p.rtfd") {
        File("text", "theirs")
        Directory("d") { File("inner", "too") }
      }
    }
    // Readable by all, owned by somebody else; the peer is nobody.
    let script = """
      set -e; cd "$1"; chmod 755 .; chown -R 12345:12345 p.rtfd; chmod -R a+rX p.rtfd
      cp "$2" peer; chmod 755 peer
      mkdir nobody; chown 65534:65534 nobody
      export FILE_COORDINATION_DIR="$1/nobody/r" XDG_DATA_HOME="$1/nobody/d"
      exec setpriv --reuid=65534 --regid=65534 --clear-groups -- ./peer versions "$1/p.rtfd" 1
      """
    let outcome = try await DocumentPeerRun(folder: folder).run(
      [],
      below: [
        "/bin/sh", "-c", script, "sh", folder.directory.path.description,
        try World.product("document-peer").description,
      ]
    )
    #expect(outcome.end == .exited(0), "\(outcome.lines)")
    let store = folder.path("nobody/d/file-coordination/versions")
    let kept = try Self.files(below: store).filter { $0.hasSuffix("text") || $0.hasSuffix("inner") }
    #expect(kept.count == 2, "\(kept)")
  }

  private static func files(below path: FilePath) throws -> [String] {
    try FileSystem.list(path).flatMap { name -> [String] in
      let inner = path.appending(name)
      let isDirectory = try FileStatus(of: inner).kind == .directory
      return isDirectory ? try files(below: inner) : [inner.description]
    }
  }
}

/// What takes the place of `FileManager.replaceItemAt`, which destroys data on Linux and is not used.
@Suite(.timeLimit(.minutes(3))) struct ReplacementTests {
  init() { DocumentWorld.enter() }

  enum Item: CaseIterable, Sendable { case file, package, missing }

  @Test(arguments: Item.allCases, [false, true])
  func `a replacement uses its source up, and what was there is a version (J14)`(
    _ item: Item,
    _ isElsewhere: Bool
  ) throws {
    let folder = try Folder {
      File("file.txt", "old")
      Directory("package.rtfd") { File("text", "old") }
    }
    let isPackage = item == .package
    let name = isPackage ? "package.rtfd" : item == .file ? "file.txt" : "missing.txt"
    let url = folder.url(name)
    let text = isPackage ? url.appending(path: "text") : url
    // The source on another file system, too, where there is one.
    let base = FilePath(isElsewhere ? "/dev/shm" : "/tmp")
    let place = try TemporaryDirectory(in: base)
    let source = place.path.appending("source")
    if isPackage {
      try FileTree.write(into: place.path) { Directory("source") { File("text", "new") } }
    } else {
      try File("source", "new").write(into: place.path)
    }
    var backup: NSFileVersion?
    if item != .missing { backup = try NSFileVersion.addOfItem(at: url, withContentsOf: url) }
    let made = try NSFileVersion.addOfItem(
      at: url,
      withContentsOf: source.url(),
      options: .byMoving
    )
    #expect(throws: SystemError.self, "the source is used up") { try FileStatus(of: source) }
    try made.replaceItem(at: url, options: .byMoving)
    #expect(try String(contentsOf: text, encoding: .utf8) == "new")
    let left = NSFileVersion.otherVersionsOfItem(at: url) ?? []
    #expect(left == [backup].compactMap { $0 })
    if let backup {
      let kept = isPackage ? backup.url.appending(path: "text") : backup.url
      #expect(try String(contentsOf: kept, encoding: .utf8) == "old")
      try backup.replaceItem(at: url)
      #expect(try String(contentsOf: text, encoding: .utf8) == "old")
    }
    #expect(try folder.list().filter { $0.hasPrefix(".") } == [])
  }
}
