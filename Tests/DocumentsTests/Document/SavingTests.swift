import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct SavingTests {
  let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder { File("a.txt", "first") }
  }

  func opened() async -> TextDocument {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await document.open())
    return document
  }

  @Test func `a document can be made, saved, edited and closed`() async throws {
    let document = TextDocument(folder.url("new.txt"))
    document.text = "made"
    #expect(await document.save(to: document.fileURL, for: .forCreating))
    #expect(document.documentState == .normal)
    #expect(try folder.text("new.txt") == "made")
    document.edit("edited")
    #expect(await document.close())
    #expect(try folder.text("new.txt") == "edited")
    #expect(document.documentState == [.closed])
    // Statement 43: there is nothing to be replaced when it is made.
    #expect(document.seen.originals == [nil, folder.url("new.txt")])
  }

  @Test func `after a save the time is that of the file (statement 5)`() async throws {
    let document = await opened()
    document.edit("second")
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    let modified = try folder.status("a.txt").modified
    let known = document.fileModificationDate?.timeIntervalSince1970 ?? 0
    #expect(abs(known - (Double(modified.seconds) + Double(modified.nanoseconds) / 1e9)) < 1e-5)
    await document.close()
  }

  @Test func `the contents are those of the call (statements 10 and 11)`() async throws {
    let document = await opened()
    document.edit("snapshot")
    let log = DocumentLog()
    document.save(to: document.fileURL, for: .forOverwriting) { log.add("\($0)") }
    #expect(document.seen.snapshots == 1)
    document.edit("later")
    try await eventuallyOnMain("saved") { log.lines == ["true"] }
    #expect(try folder.text("a.txt") == "snapshot")
    #expect(document.hasUnsavedChanges)  // statement 24
    await document.close()
    #expect(try folder.text("a.txt") == "later")
  }

  @Test func `a save without later changes leaves the document clean (statement 25)`() async {
    let document = await opened()
    document.edit("second")
    #expect(document.hasUnsavedChanges)
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(!document.hasUnsavedChanges)
    await document.close()
  }

  @Test func `if there are no contents the save ends once, with false (statements 14 and 15)`()
    async throws
  {
    let document = await opened()
    let posted = DocumentLog()
    let observer = NotificationCenter.default.addObserver(
      forName: UIDocument.stateChangedNotification,
      object: document,
      queue: nil
    ) { notification in
      posted.add("main: \(OperationQueue.isMainHere), info: \(notification.userInfo != nil)")
    }
    document.contentsFailure = NSError(domain: "test", code: 7)
    document.edit("second")
    let log = DocumentLog()
    document.save(to: document.fileURL, for: .forOverwriting) { log.add("\($0)") }
    try await eventuallyOnMain("ended") { !log.lines.isEmpty }
    #expect(log.lines == ["false"])
    #expect(document.seen.errors.map(\.code) == [7])
    #expect(document.documentState == [.savingError])
    #expect(document.hasUnsavedChanges)
    document.contentsFailure = nil
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(document.documentState == .normal)
    try await eventuallyOnMain("posted twice") { posted.lines.count == 2 }
    // Statement 30: the document is the object; our own key only while there is an error.
    #expect(posted.lines == ["main: true, info: true", "main: true, info: false"])
    NotificationCenter.default.removeObserver(observer)
    await document.close()
  }

  @Test func `a token of the subclass's own comes back (statement 26)`() async {
    final class Wrapping: TextDocument, @unchecked Sendable {
      var given: NSObject?
      var returned: NSObject?
      override func changeCountToken(for saveOperation: UIDocument.SaveOperation) -> Any {
        let token = NSObject()
        given = token
        return token
      }
      override func updateChangeCount(
        withToken changeCountToken: Any,
        for saveOperation: UIDocument.SaveOperation
      ) {
        returned = changeCountToken as? NSObject
        super.updateChangeCount(withToken: changeCountToken, for: saveOperation)
      }
    }
    let document = Wrapping(folder.url("a.txt"))
    #expect(await document.open())
    document.edit("x")
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(document.given != nil && document.given === document.returned)
    await document.close()
  }

  @Test func `an item that is there is not made anew, an empty one is`() async throws {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await !document.save(to: document.fileURL, for: .forCreating))
    #expect(document.seen.errors.map(\.code) == [516])
    #expect(try folder.text("a.txt") == "first")
    try File("empty.txt").write(into: folder.directory.path)
    let other = TextDocument(folder.url("empty.txt"))
    other.text = "filled"
    #expect(await other.save(to: other.fileURL, for: .forCreating))
    #expect(try folder.text("empty.txt") == "filled")
    await other.close()
  }

  @Test func `saving elsewhere moves the document there (C09)`() async throws {
    let document = await opened()
    document.edit("second")
    #expect(await document.save(to: folder.url("b.txt"), for: .forCreating))
    #expect(document.fileURL == folder.url("b.txt"))
    document.edit("third")
    #expect(await document.autosave())
    #expect(try folder.text("a.txt") == "first")
    #expect(try folder.text("b.txt") == "third")
    try await folder.write("b.txt", "by another")
    try await eventuallyOnMain("followed") { document.text == "by another" }
    await document.close()
  }

  @Test func `another type is saved under another extension (statement 42)`() async throws {
    let document = await opened()
    document.savesAs = "public.json"
    document.edit("{}")
    #expect(await document.autosave())
    #expect(document.fileURL.lastPathComponent == "a.json")
    #expect(document.fileType == "public.json")
    #expect(try folder.list() == ["a.json"])
    await document.close()
  }

  @Test func `what was written keeps mode, attributes and link (statements 40 and 41)`()
    async throws
  {
    try FileSystem.setPermissions(folder.path("a.txt"), 0o640)
    try FileSystem.setAttribute("user.mark", to: [1, 2], of: folder.path("a.txt"))
    try FileSystem.makeLink(folder.path("link.txt"), to: FilePath("a.txt"))
    let document = TextDocument(folder.url("link.txt"))
    #expect(await document.open())
    document.edit("through the link")
    #expect(await document.close())
    #expect(try folder.status("link.txt").kind == .link)
    #expect(try folder.status("a.txt").permissions == 0o640)
    #expect(try FileSystem.attribute("user.mark", of: folder.path("a.txt")) == [1, 2])
    #expect(try folder.text("a.txt") == "through the link")
  }

  @Test func `closing saves what is unsaved, and touches nothing else (statements 16 to 19)`()
    async throws
  {
    let never = TextDocument(folder.url("a.txt"))
    #expect(await never.close())
    let document = await opened()
    let before = try folder.status("a.txt")
    #expect(await document.close())
    #expect(try folder.status("a.txt") == before)
    #expect(!NSFileCoordinator.filePresenters.contains { $0 === document })
    try await folder.write("a.txt", "after")
    #expect(document.text == "first")
  }

  @Test func `a document whose changes cannot be saved stays open`() async throws {
    let document = await opened()
    document.edit("kept")
    document.contentsFailure = NSError(domain: "test", code: 1)
    #expect(await !document.close())
    #expect(document.documentState == [.savingError])
    #expect(document.seen.editing == ["off", "on"])
    document.contentsFailure = nil
    #expect(await document.close())
    #expect(try folder.text("a.txt") == "kept")
  }

  @Test func `a save that fails leaves the old file and nothing beside it (statement 39)`()
    async throws
  {
    final class Failing: TextDocument, @unchecked Sendable {
      override func writeContents(
        _ contents: Any,
        to url: URL,
        for saveOperation: UIDocument.SaveOperation,
        originalContentsURL: URL?
      ) throws {
        try Data("half".utf8).write(to: url)
        throw CocoaError(.fileWriteOutOfSpace)
      }
    }
    let document = Failing(folder.url("a.txt"))
    #expect(await document.open())
    document.edit("second")
    #expect(await !document.autosave())
    #expect(document.seen.errors.map(\.code) == [640])
    #expect(try folder.text("a.txt") == "first")
    #expect(try folder.list() == ["a.txt"])
    #expect(document.hasUnsavedChanges)
    await document.closeDiscarding()
  }

  @Test func `packages are saved as a whole, unchanged files by link`() async throws {
    let document = PackageDocument(folder.url("p.rtfd"))
    document.text = "one"
    #expect(await document.save(to: document.fileURL, for: .forCreating))
    document.edit("two")
    #expect(await document.close())
    #expect(try folder.text("p.rtfd/text") == "two")
    #expect(try folder.list("p.rtfd") == ["note", "text"])
    #expect(try folder.list() == ["a.txt", "p.rtfd"])
  }

  @Test func `a place that cannot be written is left for one that can`() async throws {
    final class ReadOnly: TextDocument, @unchecked Sendable {
      override func writeContents(
        _ contents: Any,
        to url: URL,
        for saveOperation: UIDocument.SaveOperation,
        originalContentsURL: URL?
      ) throws {
        if saveOperation == .forOverwriting { throw CocoaError(.fileWriteVolumeReadOnly) }
        try super.writeContents(
          contents,
          to: url,
          for: saveOperation,
          originalContentsURL: originalContentsURL
        )
      }
    }
    let document = ReadOnly(folder.url("a.txt"))
    let other = folder.url("b.txt")
    document.writableLocationProvider = { _ in other }
    #expect(await document.open())
    let log = DocumentLog()
    let observer = NotificationCenter.default.addObserver(
      forName: UIDocument.didMoveToWritableLocationNotification,
      object: document,
      queue: nil
    ) {
      let old = $0.userInfo?[UIDocument.didMoveToWritableLocationOldURLKey] as? URL
      log.add(old?.lastPathComponent ?? "")
    }
    document.edit("second")
    #expect(await document.autosave())
    #expect(document.fileURL == other)
    #expect(try folder.text("b.txt") == "second")
    try await eventuallyOnMain("posted") { log.lines == ["a.txt"] }
    NotificationCenter.default.removeObserver(observer)
    await document.close()
  }
}

extension UIDocument {
  @MainActor func closeDiscarding() async {
    await withCheckedContinuation { continuation in
      closeDiscardingChanges { _ in continuation.resume() }
    }
  }
}
