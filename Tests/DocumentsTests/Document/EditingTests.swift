import Documents
import Foundation
import LinuxSystem
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(3))) struct EditingTests {
  let folder: Folder
  let clock = ManualClock()
  init() throws {
    DocumentWorld.enter()
    folder = try Folder { File("a.txt", "first") }
  }

  func opened() async -> TextDocument {
    let document = TextDocument(folder.url("a.txt"), clock: clock)
    #expect(await document.open())
    return document
  }

  // MARK: autosaving

  @Test func `only a dirty document is saved by itself (statements 20 and 21)`() async {
    let document = await opened()
    #expect(await document.autosave())
    #expect(document.seen.saves == 0)
    document.edit("second")
    #expect(await document.autosave())
    #expect(document.seen.saves == 1)
    await document.close()
  }

  @Test func `a save comes 2 s after the last change (statement 22)`() async throws {
    let document = await opened()
    document.edit("a")
    clock.advance(by: .milliseconds(1900))
    document.edit("b")
    clock.advance(by: .milliseconds(1900))
    #expect(try await neverOnMain { document.seen.saves > 0 })
    clock.advance(by: .milliseconds(200))
    try await eventuallyOnMain("saved") { document.seen.saves == 1 && !document.hasUnsavedChanges }
    #expect(try folder.text("a.txt") == "b")
    await document.close()
  }

  @Test func `a save comes 15 s after the first change at most (statement 22)`() async throws {
    let document = await opened()
    for number in 0..<15 {
      document.edit("\(number)")
      clock.advance(by: .seconds(1))
      if number < 14 { #expect(document.seen.saves == 0) }
      await Task.yield()
    }
    try await eventuallyOnMain("saved") { document.seen.saves == 1 && !document.hasUnsavedChanges }
    await document.close()
  }

  @Test func `a clean document sets no timer`() async {
    let document = await opened()
    #expect(clock.alarms == 0)
    #expect(await document.close())
    #expect(clock.alarms == 0)
  }

  @Test func `a declined save is asked for again after 2, 4 and 8 s`() async throws {
    let document = await opened()
    document.declinesAutosave = true
    document.edit("x")
    clock.advance(by: .seconds(2))
    try await eventuallyOnMain("asked") { document.seen.autosaves == 1 }
    for (wait, count) in [(2, 2), (4, 3), (8, 4)] {
      try await eventuallyOnMain("set again") { clock.alarms == 1 }
      clock.advance(by: .milliseconds(wait * 1000 - 100))
      #expect(document.seen.autosaves == count - 1)
      clock.advance(by: .milliseconds(100))
      try await eventuallyOnMain("asked \(count) times") { document.seen.autosaves == count }
    }
    document.declinesAutosave = false
    await document.closeDiscarding()
  }

  @Test func `after closing nothing is saved any more (C08)`() async throws {
    let document = await opened()
    document.edit("second")
    #expect(await document.close())
    try folder.overwrite("a.txt", "external")
    document.edit("late")
    clock.advance(by: .seconds(60))
    #expect(try await neverOnMain { try folder.text("a.txt") != "external" })
  }

  // MARK: counting

  @Test func `undoing back to what is saved is clean, past it is not (statement 23)`() async {
    let document = await opened()
    document.updateChangeCount(.done)
    document.updateChangeCount(.undone)
    #expect(!document.hasUnsavedChanges)
    document.updateChangeCount(.undone)
    document.updateChangeCount(.done)
    document.updateChangeCount(.undone)
    #expect(document.hasUnsavedChanges)
    document.updateChangeCount(.cleared)
    #expect(!document.hasUnsavedChanges)
    await document.close()
  }

  @Test func `there is one undo manager until it is reset (statement 27)`() {
    let document = TextDocument(folder.url("a.txt"))
    let first = document.undoManager
    #expect(first === document.undoManager)
    document.undoManager = nil
    #expect(first !== document.undoManager)
  }

  @Test func `undo groups count as changes (statements 28 and 29)`() async {
    let document = await opened()
    let manager = document.undoManager!
    manager.groupsByEvent = false
    manager.beginUndoGrouping()
    manager.beginUndoGrouping()
    manager.registerUndo(withTarget: document) { $0.register() }
    manager.endUndoGrouping()
    #expect(!document.hasUnsavedChanges)
    manager.endUndoGrouping()
    #expect(document.hasUnsavedChanges)
    manager.undo()
    #expect(!document.hasUnsavedChanges)
    manager.redo()
    #expect(document.hasUnsavedChanges)
    document.updateChangeCount(.cleared)
    document.undoManager = UndoManager()
    manager.undo()
    #expect(!document.hasUnsavedChanges)
    await document.close()
  }

  @Test func `edits of the present event are in the save`() async throws {
    let document = await opened()
    document.undoManager.registerUndo(withTarget: document) { $0.text = "first" }
    document.text = "second"
    #expect(document.undoManager.groupingLevel == 1)
    document.save(to: document.fileURL, for: .forOverwriting, completionHandler: nil)
    #expect(document.undoManager.groupingLevel == 0)
    #expect(await document.close())
    #expect(try folder.text("a.txt") == "second")
  }

  // MARK: reverting

  @Test func `reverting reads again, with editing off (statements 31 and 33)`() async throws {
    final class Watching: TextDocument, @unchecked Sendable {
      override func load(fromContents contents: Any, ofType typeName: String?) throws {
        note {
          $0.editing.append("load, disabled: \(documentState.contains(.editingDisabled))")
        }
        try super.load(fromContents: contents, ofType: typeName)
      }
    }
    let document = Watching(folder.url("a.txt"), clock: clock)
    #expect(await document.open())
    document.undoManager.registerUndo(withTarget: document) { _ in }
    document.edit("thrown away")
    #expect(await document.revert(toContentsOf: document.fileURL))
    #expect(document.text == "first")
    #expect(!document.hasUnsavedChanges)
    #expect(!document.undoManager.canUndo)
    #expect(document.seen.editing.suffix(3) == ["off", "load, disabled: true", "on"])
    #expect(document.documentState == .normal)
    await document.close()
  }

  @Test func `reverting a closed document ends with false (statement 32)`() async {
    let document = TextDocument(folder.url("a.txt"))
    #expect(await !document.revert(toContentsOf: document.fileURL))
  }

  @Test func `reverting to what is not there keeps the document`() async {
    let document = await opened()
    document.edit("kept")
    #expect(await !document.revert(toContentsOf: folder.url("missing.txt")))
    #expect(document.documentState == [.savingError])
    #expect(document.text == "kept")
    #expect(document.hasUnsavedChanges)
    #expect(document.fileURL == folder.url("a.txt"))
    await document.closeDiscarding()
  }

  // MARK: every order

  @Test(arguments: 0..<5) func `every operation ends once, in any order (C01, C06)`(
    _ seed: Int
  ) async throws {
    var generator = SplitMix(state: UInt64(seed))
    let document = TextDocument(folder.url("a.txt"), clock: clock)
    let log = DocumentLog()
    var count = 0
    for number in 0..<40 {
      count += 1
      let name = "\(number)"
      let handler: (Bool) -> Void = { _ in
        log.add(OperationQueue.isMainHere ? name : "\(name) not on the main thread")
      }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: document.open(completionHandler: handler)
      case 1: document.save(to: document.fileURL, for: .forOverwriting, completionHandler: handler)
      case 2: document.autosave(completionHandler: handler)
      case 3: document.revert(toContentsOf: document.fileURL, completionHandler: handler)
      case 4:
        document.edit("text \(number)")
        document.close(completionHandler: handler)
      default:
        document.edit("text \(number)")
        count -= 1
      }
      if Bool.random(using: &generator) { await Task.yield() }
    }
    try await eventuallyOnMain("all ended") { log.lines.count >= count }
    #expect(log.lines.count == count)
    #expect(Set(log.lines).count == count)
    #expect(!log.lines.contains { $0.contains("not on") })
    await document.closeDiscarding()
    #expect(document.documentState.contains(.closed))
    // Contents that were taken before others were read are not written over them, but kept beside.
    guard document.documentState.contains(.inConflict) else { return }
    let kept = NSFileVersion.unresolvedConflictVersionsOfItem(at: document.fileURL)
    #expect(kept?.isEmpty == false)
  }
}

extension TextDocument {
  /// Registers itself as what undoes itself.
  func register() { undoManager.registerUndo(withTarget: self) { $0.register() } }
}

/// The same numbers for the same seed.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
