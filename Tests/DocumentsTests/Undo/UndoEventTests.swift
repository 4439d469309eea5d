import Documents
import Foundation
import Testing

/// What the notifications say, and in which order.
///
/// On the main actor, where no event can end in the middle of a test.
@MainActor
@Suite(.timeLimit(.minutes(3)))
struct UndoEventTests {
  /// The notifications of a manager, with the level at which each was seen.
  @MainActor private final class Log {
    private(set) var entries: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ undo: UndoManager) {
      let names: [(Notification.Name, String)] = [
        (.NSUndoManagerCheckpoint, "checkpoint"), (.NSUndoManagerDidOpenUndoGroup, "did open"),
        (.NSUndoManagerWillCloseUndoGroup, "will close"),
        (.NSUndoManagerDidCloseUndoGroup, "did close"),
        (.NSUndoManagerWillUndoChange, "will undo"), (.NSUndoManagerDidUndoChange, "did undo"),
        (.NSUndoManagerWillRedoChange, "will redo"), (.NSUndoManagerDidRedoChange, "did redo"),
      ]
      for (name, text) in names {
        tokens.append(
          NotificationCenter.default.addObserver(forName: name, object: undo, queue: nil) {
            [unowned self, unowned undo] _ in
            add("\(text) \(undo.groupingLevel)")
          }
        )
      }
    }
    nonisolated private func add(_ entry: String) {
      MainActor.assumeIsolated { entries.append(entry) }
    }
    func take() -> [String] {
      defer { entries = [] }
      return entries
    }
    func end() { tokens.forEach(NotificationCenter.default.removeObserver) }
  }

  @Test func `statement 57: a group at level 0 comes with that of the event around it`() {
    let undo = UndoManager()
    let log = Log(undo)
    defer { log.end() }
    undo.beginUndoGrouping()
    #expect(undo.groupingLevel == 2)
    #expect(log.take() == ["did open 1", "checkpoint 1", "did open 2"])
    undo.endUndoGrouping()
    #expect(undo.groupingLevel == 1)
    #expect(log.take() == ["checkpoint 2", "will close 2", "did close 1"])
    UndoManager.endCurrentEvent()
    #expect(undo.groupingLevel == 0)
    #expect(log.take() == ["checkpoint 1", "will close 1", "did close 0"])
  }

  @Test func `the first registration of an event opens its group without a checkpoint`() {
    let undo = UndoManager()
    let log = Log(undo)
    defer { log.end() }
    undo.registerUndo(withTarget: undo) { _ in }
    #expect(log.take() == ["did open 1"])
    undo.undo()
    #expect(
      log.take() == [
        "checkpoint 1", "will close 1", "did close 0", "checkpoint 0", "will undo 0", "did undo 0",
      ]
    )
    #expect(!undo.canRedo)
    #expect(log.take() == ["checkpoint 0"])
  }

  @Test func `field case G03: levels during undo are those of the groups around it`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    let log = Log(undo)
    defer { log.end() }
    undo.beginUndoGrouping()
    undo.group { text.set("b") }
    _ = log.take()
    undo.undoNestedGroup()
    #expect(log.take() == ["checkpoint 1", "will undo 1", "did undo 1"])
    undo.redo()
    #expect(log.take() == ["checkpoint 1", "will redo 1", "did redo 1"])
    undo.undo()
    #expect(
      log.take() == [
        "checkpoint 1", "will close 1", "did close 0", "checkpoint 0", "will undo 0", "did undo 0",
      ]
    )
    #expect(text.value == "a")
  }

  @Test func `groups inside of a handler are not told of`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group {
      undo.registerUndo(withTarget: text) { text in text.undo.group { text.set("x") } }
    }
    let log = Log(undo)
    defer { log.end() }
    undo.undo()
    #expect(log.take() == ["checkpoint 0", "will undo 0", "did undo 0"])
    undo.redo()
    #expect(text.value == "a")
  }

  @Test func `what an observer of a checkpoint registers is undone too`() {
    let undo = UndoManager()
    nonisolated(unsafe) let text = Text("committed", undo)  // posted on this thread
    var pending: String? = "pending"
    let token = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint,
      object: undo,
      queue: nil
    ) { _ in
      MainActor.assumeIsolated {
        guard let new = pending else { return }
        pending = nil
        text.set(new)
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    undo.undo()
    #expect(text.value == "committed")
    undo.redo()
    #expect(text.value == "pending")
  }

  @Test func `a discardable group says so before and after it is closed`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    var seen: [Bool] = []
    let tokens = [
      Notification.Name.NSUndoManagerWillCloseUndoGroup, .NSUndoManagerDidCloseUndoGroup,
      .NSUndoManagerDidUndoChange,
    ].map { name in
      NotificationCenter.default.addObserver(forName: name, object: undo, queue: nil) { note in
        let flag = note.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool ?? false
        MainActor.assumeIsolated { seen.append(flag) }
      }
    }
    defer { tokens.forEach(NotificationCenter.default.removeObserver) }
    undo.group {
      text.set("b")
      undo.setActionIsDiscardable(true)
    }
    undo.undo()
    #expect(seen == [true, true, true])
    undo.group { text.set("c") }
    #expect(seen == [true, true, true, false, false])
  }

  @Test func `field case G02: a group of an event that was ended by hand is not ended again`() {
    let undo = UndoManager()
    undo.registerUndo(withTarget: undo) { _ in }
    undo.endUndoGrouping()
    UndoManager.endCurrentEvent()
    #expect(undo.groupingLevel == 0 && undo.undoCount == 1)
    undo.registerUndo(withTarget: undo) { _ in }
    undo.groupsByEvent = false
    UndoManager.endCurrentEvent()
    #expect(undo.groupingLevel == 0 && undo.undoCount == 2)
  }

  @Test func `field case G04: what was removed does not come back at the end of the event`() {
    let undo = UndoManager()
    undo.registerUndo(withTarget: undo) { _ in }
    undo.removeAllActions()
    #expect(!undo.canUndo)
    UndoManager.endCurrentEvent()
    #expect(!undo.canUndo && undo.groupingLevel == 0)
  }

  @Test func `a group that a client holds open keeps its event's group until it is closed`() {
    let undo = UndoManager()
    undo.beginUndoGrouping()
    undo.registerUndo(withTarget: undo) { _ in }
    UndoManager.endCurrentEvent()
    #expect(undo.groupingLevel == 2)
    undo.registerUndo(withTarget: undo) { _ in }
    undo.endUndoGrouping()
    #expect(undo.groupingLevel == 1)
    UndoManager.endCurrentEvent()
    #expect(undo.groupingLevel == 0 && undo.undoCount == 1)
  }

  @Test func `messages say what notifications say`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    let note = Notification(
      name: .NSUndoManagerDidCloseUndoGroup,
      object: undo,
      userInfo: [NSUndoManagerGroupIsDiscardableKey: true]
    )
    let message = UndoManager.DidCloseUndoGroupMessage.makeMessage(note)
    #expect(message?.undoManager === undo && message?.isDiscardable == true)
    let checkpoint = UndoManager.CheckpointMessage(undoManager: undo)
    let again = UndoManager.CheckpointMessage.makeNotification(checkpoint)
    #expect(again.name == .NSUndoManagerCheckpoint && again.object as? UndoManager === undo)
    withExtendedLifetime(text) {}
  }
}
