import Documents
import Foundation
import Testing

/// What is undone: a text that registers its own changes.
final class Text {
  let undo: UndoManager
  var value: String
  init(_ value: String, _ undo: UndoManager) { (self.value, self.undo) = (value, undo) }
  func set(_ new: String) {
    let old = value
    undo.registerUndo(withTarget: self) { $0.set(old) }
    value = new
  }
}

/// A manager whose groups are made by hand, so that no test depends on a main loop.
func handGrouped() -> UndoManager {
  let undo = UndoManager()
  undo.groupsByEvent = false
  return undo
}

extension UndoManager {
  func group(_ body: () -> Void) {
    beginUndoGrouping()
    body()
    endUndoGrouping()
  }
}

struct UndoManagerTests {
  @Test func `statement 59: a new registration empties the redo stack, one inside undo does not`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group { text.set("b") }
    undo.undo()
    #expect(text.value == "a")
    #expect(undo.canRedo)
    undo.redo()
    #expect(text.value == "b")
    undo.undo()
    undo.group { text.set("c") }
    #expect(!undo.canRedo)
    #expect(undo.undoCount == 1)
  }

  @Test func `statement 60: only as many groups are kept as levels were set, the oldest goes`() {
    let undo = handGrouped()
    undo.levelsOfUndo = 2
    let text = Text("0", undo)
    for value in ["1", "2", "3"] { undo.group { text.set(value) } }
    #expect(undo.undoCount == 2)
    undo.undo()
    undo.undo()
    undo.undo()
    #expect(text.value == "1")
    #expect(undo.redoCount == 2)
    undo.levelsOfUndo = 1
    #expect(undo.redoCount == 1)
  }

  @Test func `statement 61: names and titles follow the group through undo and redo`() {
    let undo = handGrouped()
    #expect(undo.undoActionName == "")
    #expect(undo.undoMenuItemTitle == "Undo")
    let text = Text("a", undo)
    undo.beginUndoGrouping()
    text.set("b")
    undo.setActionName("Paste")
    #expect(undo.undoMenuItemTitle == "Undo Paste")
    undo.endUndoGrouping()
    #expect(undo.undoMenuItemTitle == "Undo Paste")
    undo.undo()
    #expect(undo.undoActionName == "")
    #expect(undo.redoMenuItemTitle == "Redo Paste")
    undo.redo()
    #expect(undo.undoMenuItemTitle == "Undo Paste")
    undo.setActionName("")
    #expect(undo.undoMenuItemTitle == "Undo")
  }

  @Test func `a name given in a nested group is the group's`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group {
      undo.group {
        text.set("b")
        undo.setActionName("Typing")
      }
    }
    #expect(undo.undoActionName == "Typing")
  }

  @Test func `statement 62: handlers run newest first and a dead target is skipped`() {
    let undo = handGrouped()
    var order: [Int] = []
    let alive = Text("", undo)
    var dead: Text? = Text("", undo)
    undo.beginUndoGrouping()
    undo.registerUndo(withTarget: alive) { _ in order.append(1) }
    if let dead { undo.registerUndo(withTarget: dead) { _ in order.append(2) } }
    undo.registerUndo(withTarget: alive) { _ in order.append(3) }
    undo.endUndoGrouping()
    dead = nil
    undo.undo()
    #expect(order == [3, 1])
  }

  @Test func `a nested group is part of the group around it`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group {
      text.set("b")
      undo.group { text.set("c") }
      text.set("d")
    }
    #expect(undo.undoCount == 1)
    undo.undo()
    #expect(text.value == "a")
    undo.redo()
    #expect(text.value == "d")
  }

  @Test func `a nested group can be undone inside the open one`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.beginUndoGrouping()
    text.set("b")
    undo.group { text.set("c") }
    undo.undoNestedGroup()
    #expect(text.value == "b")
    #expect(undo.groupingLevel == 1)
    #expect(undo.redoCount == 1)
    undo.redo()
    #expect(text.value == "c")
    undo.undoNestedGroup()
    #expect(text.value == "b")
    undo.endUndoGrouping()
    undo.undo()
    #expect(text.value == "a")
    undo.redo()
    #expect(text.value == "b")
  }

  @Test func `an empty group is not kept`() {
    let undo = handGrouped()
    undo.group {}
    undo.group { undo.group {} }
    #expect(!undo.canUndo)
    #expect(undo.undoCount == 0)
  }

  @Test func `registration is ignored while disabled, and disabling nests`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.disableUndoRegistration()
    undo.disableUndoRegistration()
    undo.enableUndoRegistration()
    #expect(!undo.isUndoRegistrationEnabled)
    text.set("b")
    undo.enableUndoRegistration()
    #expect(undo.isUndoRegistrationEnabled)
    #expect(!undo.canUndo)
  }

  @Test func `an open group counts for canUndo, names and counts`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.beginUndoGrouping()
    #expect(!undo.canUndo)
    text.set("b")
    #expect(undo.canUndo)
    #expect(undo.undoCount == 1)
    undo.undo()
    #expect(text.value == "a")
    #expect(undo.groupingLevel == 0)
  }

  @Test func `actions of one target are removed everywhere, and groups left empty are gone`() {
    let undo = handGrouped()
    let (a, b) = (Text("a", undo), Text("b", undo))
    undo.group { a.set("a1") }
    undo.group {
      a.set("a2")
      b.set("b1")
    }
    undo.group { b.set("b2") }
    undo.undo()
    undo.removeAllActions(withTarget: b)
    #expect(undo.redoCount == 0)
    #expect(undo.undoCount == 2)
    undo.undo()
    #expect(a.value == "a1")
    #expect(b.value == "b1")
    undo.removeAllActions(withTarget: a)
    #expect(!undo.canUndo && !undo.canRedo)
  }

  @Test func `field case G04: removing all actions takes the open group along`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.disableUndoRegistration()
    undo.beginUndoGrouping()
    undo.removeAllActions()
    #expect(undo.isUndoRegistrationEnabled)
    #expect(undo.groupingLevel == 0)
    #expect(!undo.canUndo)
    undo.endUndoGrouping()  // owed for the group that is gone: no complaint
    undo.group { text.set("b") }
    #expect(undo.undoCount == 1)
  }

  @Test func `removing all actions inside a handler leaves a usable manager`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group {
      undo.registerUndo(withTarget: text) { $0.value = "second" }
      undo.registerUndo(withTarget: text) { [unowned undo] in
        $0.value = "first"
        undo.removeAllActions()
      }
    }
    undo.undo()
    #expect(text.value == "first")
    #expect(!undo.isUndoing && !undo.canUndo && !undo.canRedo)
    undo.group { text.set("x") }
    undo.undo()
    #expect(text.value == "first")
  }

  @Test func `a group is discardable when all its actions are`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group {
      text.set("b")
      undo.setActionIsDiscardable(true)
    }
    #expect(undo.undoActionIsDiscardable)
    undo.undo()
    #expect(undo.redoActionIsDiscardable)
    undo.redo()
    #expect(undo.undoActionIsDiscardable)
    undo.group {
      text.set("c")
      undo.setActionIsDiscardable(true)
      text.set("d")
    }
    #expect(!undo.undoActionIsDiscardable)
  }

  @Test func `values of clients stay with a group`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.group {
      text.set("b")
      undo.setActionUserInfoValue(7, forKey: "cursor")
    }
    #expect(undo.undoActionUserInfoValue(forKey: "cursor") as? Int == 7)
    undo.undo()
    #expect(undo.redoActionUserInfoValue(forKey: "cursor") as? Int == 7)
    #expect(undo.undoActionUserInfoValue(forKey: "cursor") == nil)
  }

  @Test func `an assignment can be prepared like an invocation`() {
    let undo = handGrouped()
    let text = Text("a", undo)
    undo.beginUndoGrouping()
    undo.prepare(withInvocationTarget: text).value = "old"
    undo.prepare(withInvocationTarget: text).perform { $0.value += "!" }
    undo.endUndoGrouping()
    text.value = "new"
    undo.undo()
    #expect(text.value == "old")
  }

  @Test func `an object may remove its actions while it is being let go`() {
    final class Owner {
      let undo: UndoManager
      init(_ undo: UndoManager) { self.undo = undo }
      deinit { undo.removeAllActions(withTarget: self) }
    }
    let undo = handGrouped()
    undo.levelsOfUndo = 1
    let text = Text("", undo)
    do {
      let owner = Owner(undo)
      undo.group { undo.registerUndo(withTarget: text) { _ in _ = owner.undo } }
    }
    undo.group { text.set("x") }  // drops the group that held the owner
    #expect(undo.undoCount == 1)
    undo.removeAllActions()
  }

  @Test func `a subclass says the titles in its language`() {
    final class German: UndoManager, @unchecked Sendable {
      override func undoMenuTitle(forUndoActionName name: String) -> String { "\(name) widerrufen" }
    }
    let undo = German()
    undo.groupsByEvent = false
    let text = Text("a", undo)
    undo.group {
      text.set("b")
      undo.setActionName("Einsetzen")
    }
    #expect(undo.undoMenuItemTitle == "Einsetzen widerrufen")
  }
}
