// Model code as it is written for iOS: nothing but UIKit is imported, and nothing is adapted.

import UIKit

final class NoteModel: NSObject {
  let undoManager = UndoManager()
  private(set) var lines: [String] = []

  func insert(_ line: String, at index: Int) {
    lines.insert(line, at: index)
    undoManager.registerUndo(withTarget: self) { $0.removeLine(at: index) }
    undoManager.setActionName("Insert Line")
  }

  func removeLine(at index: Int) {
    let line = lines.remove(at: index)
    undoManager.registerUndo(withTarget: self) { $0.insert(line, at: index) }
  }

  var wrapper: FileWrapper {
    let text = FileWrapper(regularFileWithContents: Data(lines.joined(separator: "\n").utf8))
    return FileWrapper(directoryWithFileWrappers: ["text.txt": text])
  }
}

/// A model on the main actor registers with its own methods.
@MainActor
final class ScreenModel {
  let undoManager = UndoManager()
  var title = ""

  func setTitle(_ new: String) {
    let old = title
    title = new
    undoManager.registerUndo(withTarget: self) { $0.setTitle(old) }
  }
}
