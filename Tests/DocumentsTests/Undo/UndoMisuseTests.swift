import Documents
import Foundation
import Testing

/// Wrong use stops the program, and says what was wrong.
@Suite(.timeLimit(.minutes(3)))
struct UndoMisuseTests {
  private func says(_ result: ExitTest.Result?, _ sentence: String) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(sentence)
  }

  @Test func `statement 58: an end without a begin`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { UndoManager().endUndoGrouping() }
    #expect(says(result, "without a matching beginUndoGrouping()"))
  }

  @Test func `statement 58: undo with nested groups open`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let undo = UndoManager()
      undo.groupsByEvent = false
      undo.beginUndoGrouping()
      undo.beginUndoGrouping()
      undo.undo()
    }
    #expect(says(result, "undo() with 2 undo groups open"))
  }

  @Test func `enabling without disabling`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) { UndoManager().enableUndoRegistration() }
    #expect(says(result, "without a matching disableUndoRegistration()"))
  }

  @Test func `registering outside of a group`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let undo = UndoManager()
      undo.groupsByEvent = false
      undo.registerUndo(withTarget: NSObject()) { _ in }
    }
    #expect(says(result, "outside of a group"))
  }

  @Test func `undoing inside of a handler`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let undo = UndoManager()
      undo.registerUndo(withTarget: undo) { $0.undo() }
      undo.undo()
    }
    #expect(says(result, "while undoing"))
  }

  @Test func `undoing a nested group behind loose actions`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let undo = UndoManager()
      undo.groupsByEvent = false
      undo.beginUndoGrouping()
      undo.registerUndo(withTarget: undo) { _ in }
      undo.undoNestedGroup()
    }
    #expect(says(result, "outside of a closed group"))
  }
}
