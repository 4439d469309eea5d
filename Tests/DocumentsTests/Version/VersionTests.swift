import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing
import VersionStore

@Suite(.timeLimit(.minutes(3))) struct VersionTests {
  let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder { File("a.txt", "current") }
  }
  var url: URL { folder.url("a.txt") }
  func add(_ text: String) throws -> NSFileVersion {
    try File("source", text).write(into: folder.directory.path)
    return try NSFileVersion.addOfItem(at: url, withContentsOf: folder.url("source"))
  }
  func text(_ version: NSFileVersion?) throws -> String? {
    try version.map { try String(contentsOf: $0.url, encoding: .utf8) }
  }

  @Test func `an item has its current version and those that were added`() throws {
    #expect(try text(NSFileVersion.currentVersionOfItem(at: url)) == "current")
    #expect(NSFileVersion.otherVersionsOfItem(at: url) == [])
    let first = try add("one")
    let second = try add("two")
    #expect(NSFileVersion.otherVersionsOfItem(at: url) == [first, second])
    #expect(try text(first) == "one")
    #expect(first.url.lastPathComponent == "a.txt")
    #expect(first.localizedName == "a")
    #expect(!first.isConflict)
    #expect(first.isResolved)
    let found = NSFileVersion.version(
      ofItemAt: url,
      forPersistentIdentifier: second.persistentIdentifier
    )
    #expect(found == second)
    #expect(NSFileVersion.currentVersionOfItem(at: folder.url("missing")) == nil)
  }

  @Test func `a version is not changed by who writes its source in place`() throws {
    let version = try add("one")
    try folder.overwrite("source", "changed")
    #expect(try text(version) == "one")
  }

  @Test func `by moving, the source is gone`() throws {
    let place = NSFileVersion.temporaryDirectoryURLForNewVersionOfItem(at: url)
    let source = place.appending(path: "new")
    try Data("moved".utf8).write(to: source)
    let version = try NSFileVersion.addOfItem(at: url, withContentsOf: source, options: .byMoving)
    #expect(try text(version) == "moved")
    #expect(!FileManager.default.fileExists(atPath: source.path))
    try FileManager.default.removeItem(at: place)
  }

  @Test func `replacing gives the item the version's contents`() throws {
    try FileSystem.setPermissions(folder.path("a.txt"), 0o604)
    let version = try add("old text")
    #expect(try version.replaceItem(at: url) == url)
    #expect(try folder.text("a.txt") == "old text")
    #expect(try folder.status("a.txt").permissions == 0o604)
    #expect(NSFileVersion.otherVersionsOfItem(at: url) == [version])
    try version.replaceItem(at: url, options: .byMoving)
    #expect(NSFileVersion.otherVersionsOfItem(at: url) == [])
    #expect(throws: NSError.self) { try version.replaceItem(at: url) }
  }

  @Test func `versions are removed, one or all`() throws {
    let first = try add("one")
    _ = try add("two")
    try first.remove()
    #expect(NSFileVersion.otherVersionsOfItem(at: url)?.count == 1)
    #expect(!FileManager.default.fileExists(atPath: first.url.path))
    try NSFileVersion.removeOtherVersionsOfItem(at: url)
    #expect(NSFileVersion.otherVersionsOfItem(at: url) == [])
    #expect(throws: NSError.self) { try NSFileVersion.currentVersionOfItem(at: url)?.remove() }
  }

  @Test func `a conflict is unresolved until it is marked (statement 60 of coordination)`()
    async throws
  {
    final class Presenter: NSObject, NSFilePresenter, Sendable {
      let presentedItemURL: URL?
      let presentedItemOperationQueue = OperationQueue()
      let log = DocumentLog()
      init(_ url: URL) { presentedItemURL = url }
      func presentedItemDidGain(_ version: NSFileVersion) { log.add("gain") }
      func presentedItemDidLose(_ version: NSFileVersion) { log.add("lose") }
      func presentedItemDidResolveConflict(_ version: NSFileVersion) {
        // With a version that is what the message says: whoever merges looks at that.
        log.add(version.isResolved ? "resolve" : "resolve, but it is not")
      }
    }
    let presenter = Presenter(url)
    NSFileCoordinator.addFilePresenter(presenter)
    try File("source", "theirs").write(into: folder.directory.path)
    let version = try NSFileVersion.addConflictVersionOfItem(
      at: url,
      withContentsOf: folder.url("source"),
      savingComputer: "elsewhere"
    )
    #expect(version.isConflict && !version.isResolved)
    #expect(version.localizedNameOfSavingComputer == "elsewhere")
    #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: url) == [version])
    #expect(NSFileVersion.currentVersionOfItem(at: url)?.isConflict == true)
    version.isResolved = true
    #expect(NSFileVersion.unresolvedConflictVersionsOfItem(at: url) == [])
    try version.remove()
    try await eventually("told") { presenter.log.lines == ["gain", "resolve", "lose"] }
    NSFileCoordinator.removeFilePresenter(presenter)
  }

  @Test func `versions go with an item that is moved under coordination`() throws {
    let version = try add("one")
    let new = folder.url("b.txt")
    let coordinator = NSFileCoordinator()
    try coordinator.coordinate(
      writingItemAt: url,
      options: .forMoving,
      writingItemAt: new,
      options: .forReplacing
    ) { from, to in
      try FileManager.default.moveItem(at: from, to: to)
      coordinator.item(at: from, didMoveTo: to)
    }
    #expect(NSFileVersion.otherVersionsOfItem(at: new) == [version])
    #expect(NSFileVersion.otherVersionsOfItem(at: url) == [])
  }

  @Test func `packages are versions too`() throws {
    try FileTree.write(into: folder.directory.path) {
      Directory("p.rtfd") { Directory("in") { File("text", "deep") } }
    }
    let package = folder.url("p.rtfd")
    let version = try NSFileVersion.addOfItem(at: package, withContentsOf: package)
    try folder.overwrite("p.rtfd/in/text", "changed")
    try version.replaceItem(at: package)
    #expect(try folder.text("p.rtfd/in/text") == "deep")
  }

  // MARK: the store itself

  @Test func `limits take what is old, too many or too large, and never an open conflict`() {
    func version(_ id: Int64, added: Int64, size: Int64 = 1, conflict: Bool = false)
      -> StoredVersion
    {
      StoredVersion(
        id: id,
        item: FilePath("/a"),
        contents: "\(id)",
        name: "a",
        computer: nil,
        modified: FileStatus.Time(seconds: 0, nanoseconds: 0),
        added: added,
        size: size,
        isConflict: conflict,
        isResolved: false,
        isDiscardable: false
      )
    }
    var limits = VersionLimits()
    limits.age = 100
    limits.count = 2
    limits.size = 10
    let all = [
      version(1, added: 0, conflict: true), version(2, added: 10), version(3, added: 950),
      version(4, added: 960), version(5, added: 970, size: 9), version(6, added: 980),
    ]
    #expect(limits.excess(of: all, now: 1000).map(\.id) == [2, 3, 4, 5])
  }

  @Test func `contents without an entry are swept, and nothing else`() throws {
    let store = try VersionStore(folder.path("store"))
    let kept = try store.add(to: folder.path("a.txt"), contentsOf: folder.path("a.txt"))
    try FileSystem.makeDirectory(folder.path("store/contents/feedfacefeedface"))
    #expect(try store.faults().count == 1)
    #expect(try store.prune() == [])
    #expect(try store.faults() == [])
    #expect(try store.versions(of: folder.path("a.txt")) == [kept])
  }
}
