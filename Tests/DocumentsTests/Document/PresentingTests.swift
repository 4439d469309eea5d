import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct PresentingTests {
  let folder: Folder
  init() throws {
    DocumentWorld.enter()
    folder = try Folder {
      File("a.txt", "first")
      Directory("d")
    }
  }

  func opened(clock: any DocumentClock = ManualClock()) async -> TextDocument {
    let document = TextDocument(folder.url("a.txt"), clock: clock)
    #expect(await document.open())
    return document
  }
  func versions() -> [NSFileVersion] {
    NSFileVersion.unresolvedConflictVersionsOfItem(at: folder.url("a.txt")) ?? []
  }

  @Test func `a coordinated write reloads a clean document once (statement 34)`() async throws {
    let document = await opened()
    try await folder.write("a.txt", "by another")
    try await eventuallyOnMain("reloaded") { document.text == "by another" }
    #expect(try await neverOnMain(for: .milliseconds(500)) { document.seen.loads > 2 })
    #expect(document.seen.loads == 2)
    #expect(!document.hasUnsavedChanges)
    try await eventuallyOnMain("editable") { document.documentState == .normal }
    await document.close()
  }

  @Test func `a coordinated read sees edits made before it (statement 35)`() async throws {
    let document = await opened()
    document.edit("unsaved")
    #expect(try await folder.read("a.txt") == "unsaved")
    #expect(!document.hasUnsavedChanges)
    await document.close()
  }

  @Test func `a reader on the main thread sees them too, and nothing hangs`() async throws {
    let document = await opened()
    document.edit("unsaved")
    var text = ""
    var error: NSError?
    NSFileCoordinator().coordinate(readingItemAt: folder.url("a.txt"), error: &error) { url in
      text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    }
    #expect(error == nil)
    #expect(text == "unsaved")
    await document.close()
  }

  @Test func `a coordinated move is followed (statement 36)`() async throws {
    let document = await opened()
    let (from, to) = (folder.url("a.txt"), folder.url("d/b.txt"))
    try await folder.coordinating(
      .writingIntent(with: from, options: .forMoving),
      .writingIntent(with: to, options: .forReplacing)
    ) { _ in
      try FileManager.default.moveItem(at: from, to: to)
      NSFileCoordinator().item(at: from, didMoveTo: to)
    }
    try await eventuallyOnMain("followed") { document.fileURL.path == to.path }
    document.edit("at the new place")
    #expect(await document.autosave())
    #expect(try folder.text("d/b.txt") == "at the new place")
    #expect(!folder.exists("a.txt"))
    await document.close()
  }

  @Test func `a move that nobody announced is followed (C11)`() async throws {
    let document = await opened()
    try FileSystem.rename(folder.path("a.txt"), to: folder.path("d/b.txt"))
    try await eventuallyOnMain("followed") { document.fileURL.lastPathComponent == "b.txt" }
    document.edit("at the new place")
    #expect(await document.close())
    #expect(try folder.text("d/b.txt") == "at the new place")
    #expect(!folder.exists("a.txt"))
  }

  @Test func `a coordinated deletion closes, nothing comes back (statement 37, ruling 14)`()
    async throws
  {
    let clock = ManualClock()
    let document = await opened(clock: clock)
    document.edit("unsaved")
    try await folder.coordinating(
      .writingIntent(with: folder.url("a.txt"), options: .forDeleting)
    ) { try FileManager.default.removeItem(at: $0) }
    try await eventuallyOnMain("closed") { document.documentState == [.closed] }
    clock.advance(by: .seconds(60))
    #expect(try await neverOnMain { folder.exists("a.txt") })
    let kept = NSFileVersion.otherVersionsOfItem(at: folder.url("a.txt")) ?? []
    #expect(try kept.map { try String(contentsOf: $0.url, encoding: .utf8) } == ["unsaved"])
  }

  @Test func `rm by a stranger closes as well (C11)`() async throws {
    let clock = ManualClock()
    let document = await opened(clock: clock)
    try FileSystem.removeFile(folder.path("a.txt"))
    try await eventuallyOnMain("closed") { document.documentState == [.closed] }
    document.edit("late")
    clock.advance(by: .seconds(60))
    #expect(try await neverOnMain { folder.exists("a.txt") })
  }

  @Test func `a stranger's write under unsaved edits is a conflict (statement 38)`() async throws {
    let clock = ManualClock()
    let document = await opened(clock: clock)
    document.edit("mine")
    try folder.replace("a.txt", "theirs")
    try await eventuallyOnMain("conflict") { document.documentState.contains(.inConflict) }
    #expect(document.text == "mine")
    #expect(document.hasUnsavedChanges)
    #expect(try versions().map { try String(contentsOf: $0.url, encoding: .utf8) } == ["theirs"])
    clock.advance(by: .seconds(60))
    #expect(try await neverOnMain { document.seen.saves > 0 })
    // Resolved: keep mine.
    for version in versions() { version.isResolved = true }
    try await eventuallyOnMain("resolved") { !document.documentState.contains(.inConflict) }
    clock.advance(by: .seconds(60))
    try await eventuallyOnMain("saved") { !document.hasUnsavedChanges }
    #expect(try folder.text("a.txt") == "mine")
    try NSFileVersion.removeOtherVersionsOfItem(at: folder.url("a.txt"))
    await document.close()
  }

  @Test func `a save over what a stranger just wrote loses neither text`() async throws {
    let document = await opened()
    document.edit("mine")
    try folder.replace("a.txt", "theirs")
    #expect(await document.save(to: document.fileURL, for: .forOverwriting))
    #expect(try folder.text("a.txt") == "mine")
    #expect(try versions().map { try String(contentsOf: $0.url, encoding: .utf8) } == ["theirs"])
    #expect(document.documentState.contains(.inConflict))
    try NSFileVersion.removeOtherVersionsOfItem(at: folder.url("a.txt"))
    await document.close()
  }

  @Test func `a touch is no change`() async throws {
    let document = await opened()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
      ofItemAtPath: folder.url("a.txt").path
    )
    document.edit("mine")
    #expect(await document.autosave())
    #expect(versions().isEmpty)
    #expect(document.seen.loads == 1)
    await document.close()
  }

  @Test func `thirty saves while another document reloads make no conflict (D05)`() async throws {
    let document = await opened()
    let other = TextDocument(folder.url("a.txt"))
    #expect(await other.open())
    for number in 0..<30 {
      document.edit("text \(number)")
      #expect(await document.autosave())
    }
    try await eventuallyOnMain("caught up") { other.text == "text 29" }
    #expect(versions().isEmpty)
    await document.close()
    await other.close()
  }

  @Test func `two documents that both edit lose neither text`() async throws {
    let document = await opened()
    let other = TextDocument(folder.url("a.txt"))
    #expect(await other.open())
    document.edit("one")
    other.edit("two")
    #expect(await document.autosave())
    try await eventuallyOnMain("conflict") { other.documentState.contains(.inConflict) }
    #expect(await other.close())
    #expect(try folder.text("a.txt") == "two")
    #expect(try versions().map { try String(contentsOf: $0.url, encoding: .utf8) } == ["one"])
    try NSFileVersion.removeOtherVersionsOfItem(at: folder.url("a.txt"))
    await document.close()
  }

  @Test func `the newest of three versions is chosen (D01, D02)`() async throws {
    let document = await opened()
    for (text, age) in [("newer", 1000), ("newest", 2000)] {
      try File("other", text).write(into: folder.directory.path)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 2_000_000_000 + Double(age))],
        ofItemAtPath: folder.url("other").path
      )
      try NSFileVersion.addConflictVersionOfItem(
        at: document.fileURL,
        withContentsOf: folder.url("other"),
        savingComputer: "other"
      )
    }
    try await eventuallyOnMain("conflict") { document.documentState.contains(.inConflict) }
    let found = versions()
    #expect(
      found.map { $0.modificationDate?.timeIntervalSince1970 } == [2_000_001_000, 2_000_002_000]
    )
    try await folder.write("a.txt", "rewritten")
    #expect(versions().map(\.modificationDate) == found.map(\.modificationDate))
    let newest = try #require(found.max { $0.modificationDate! < $1.modificationDate! })
    try newest.replaceItem(at: document.fileURL)
    try NSFileVersion.removeOtherVersionsOfItem(at: document.fileURL)
    newest.isResolved = true
    #expect(await document.revert(toContentsOf: document.fileURL))
    #expect(document.text == "newest")
    try await eventuallyOnMain("settled") { document.documentState == .normal }
    await document.close()
  }
}
