import Foundation
import LinuxSystem

/// The file as a program has it that knows nothing of others: read once, then written as a whole.
final class CarelessDesk: DemoDesk {
  private let file: FilePath
  private let editor: DemoEditor
  private(set) var text = ""
  private var trouble: (any Error)?

  init(_ file: FilePath, _ editor: DemoEditor) {
    self.file = file
    self.editor = editor
  }

  var isQuiet: Bool {
    get throws {
      if let trouble { throw trouble }
      return true
    }
  }

  func open() {
    do { text = try DemoFile.contents(of: file) } catch { trouble = error }
  }

  func close() {}

  func edit(_ line: String) { text = DemoFile.text(text, with: line) }

  func settle() throws -> Bool {
    let opened = try Descriptor.open(file, [.writeOnly, .truncate, .noFollow])
    try opened.write(Array(text.utf8))
    editor.note("saves \(DemoFile.count(in: text) ?? 0) edits")
    return true
  }
}
