import Testing
import UIKit

struct UIKitTests {
  @Test func `model code that imports UIKit compiles and runs`() {
    let model = NoteModel()
    model.undoManager.groupsByEvent = false
    model.undoManager.beginUndoGrouping()
    model.insert("one", at: 0)
    model.undoManager.endUndoGrouping()
    #expect(model.undoManager.undoMenuItemTitle == "Undo Insert Line")
    model.undoManager.undo()
    #expect(model.lines.isEmpty)
    #expect(model.wrapper.fileWrappers?["text.txt"]?.regularFileContents == Data())
    #expect(UTType.plainText.conforms(to: .text))
  }

  @MainActor @Test func `a model on the main actor undoes with its own methods`() {
    let model = ScreenModel()
    model.setTitle("a")
    model.undoManager.undo()
    #expect(model.title == "")
  }
}
