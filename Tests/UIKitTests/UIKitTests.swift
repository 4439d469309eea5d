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

  @MainActor @Test func `model code that shows files compiles and runs`() async throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).txt")
    try Data("text".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let frontEnd = ScriptedInteractionFrontEnd()
    UIDocumentInteractionController.frontEnd = frontEnd
    let model = AttachmentModel()
    #expect(model.show(url))
    await model.interactionController?.waitUntilIdle()
    #expect(frontEnd.previews.map(\.title) == [url.lastPathComponent])
    #expect(model.events == ["ended \(url.lastPathComponent)"])
    #expect(model.interactionController?.uti == "public.plain-text")
  }
}
