import DocumentPicker
import Documents
import FileCoordination
import Foundation
import LinuxSystem
import TerminalPicker
import TerminalScreen

/// The editor on a terminal: one document, one screen, one loop.
package final class NotesProgram {
  private enum Mode {
    case editing
    /// What both programs wrote, side by side, from a line on.
    case comparing(from: Int)
    case ending
  }
  private let document: NoteDocument
  private let loop: TerminalLoop
  private var editor = Editor()
  /// What is shown while comparing.
  private var comparison: [String] = []
  private var mode = Mode.editing
  private var isDone = false
  /// The terminal is gone.
  private var isAlone = false
  private var message = ""
  private static let saved = "saved"
  private var isOpen = false

  /// An editor for a file, which may not be there yet.
  private init(_ url: URL, _ loop: TerminalLoop) {
    document = NoteDocument(fileURL: url)
    self.loop = loop
  }

  /// Runs the editor until its user has done; blocks, on the main thread.
  ///
  /// - Returns: the program's exit status: 0, or 1 where it cannot run, 64 for wrong use.
  package static func run(_ arguments: [String]) -> Int32 {
    guard arguments.count == 1, let name = arguments.first,
      name == "--pick" || !name.hasPrefix("-")
    else {
      StandardError.write(
        """
        usage: notes FILE
           or: notes --pick
        Edits a text file; other programs may do so at the same time, and nobody's text is lost.
        --pick has you choose the file first, from a document provider or the file system.
        Ctrl-S saves (it saves by itself, too), Ctrl-Z and Ctrl-Y undo and redo, Ctrl-K takes a line
        out, Ctrl-Q quits.

        """
      )
      return 64
    }
    do {
      var url = URL(fileURLWithPath: name)
      if name == "--pick" {
        guard let picked = try pick() else { return 1 }
        url = picked
      }
      let signals = try SignalSource([.terminate, .hangUp])
      let loop = try TerminalLoop()
      let program = NotesProgram(url, loop)
      return try program.run(signals)
    } catch {
      StandardError.write("notes: \(error.localizedDescription)\n")
      return 1
    }
  }

  /// The file that the user chooses; nil if none.
  private static func pick() throws -> URL? {
    try MainActor.assumeIsolated {
      try MainLoop.run {
        let picker = UIDocumentPickerViewController(documentTypes: ["public.text"], in: .open)
        picker.shouldShowFileExtensions = true
        switch await picker.pick(in: DocumentSession(frontEnd: TerminalFrontEnd())) {
        case .picked(let urls): return urls.first
        case .cancelled: return nil
        case .failed(let error): throw error
        }
      }
    }
  }

  private func run(_ signals: SignalSource) throws -> Int32 {
    let reference = MainThreadReference(self)
    try BlockingThread.start("signals") {
      // Whatever else fails, the terminal's end still ends the program: by its first read of nothing.
      while (try? signals.next()) != nil {
        reference.loop.perform { reference.program.finish() }
      }
    }
    guard let screen = TerminalScreen() else {
      StandardError.write("notes: standard input and output have to be a terminal\n")
      return 1
    }
    start()
    while !isDone {
      draw(screen)
      let mayHaveKey = loop.wait()
      var hadKey = false
      while let key = screen.nextKey() {
        hadKey = true
        handle(key, rows: screen.rows - 1)
        UndoManager.endCurrentEvent()
      }
      // Readable without anything to read: nobody is at the terminal any more.
      if mayHaveKey, !hadKey, !isAlone {
        isAlone = true
        loop.forgetTerminal()
        finish()
      }
    }
    draw(screen)
    _ = consume screen
    if let trouble = document.trouble, !isOpen {
      StandardError.write("notes: \(trouble)\n")
      return 1
    }
    return 0
  }

  // MARK: the document

  private func start() {
    document.textDidChange = { [unowned self] change in
      editor.follow(change, in: document.text)
      compareAgain()
    }
    // A file that is not there yet is made.
    if (try? FileManager.default.attributesOfItem(atPath: document.fileURL.path)) == nil,
      !ProvidedItems.isPlaceholder(document.fileURL)
    {
      document.save(to: document.fileURL, for: .forCreating) { [unowned self] in opened($0) }
    } else {
      document.open { [unowned self] in opened($0) }
    }
  }

  private func opened(_ success: Bool) {
    isOpen = success
    if !success { isDone = true }
  }

  private func finish() {
    guard isOpen else {
      isDone = true
      return
    }
    if case .ending = mode { return }
    mode = .ending
    message = "closing…"
    document.close { [unowned self] success in
      if success || isAlone {
        // Alone, nobody is left to be asked what to do.
        isDone = true
      } else {
        mode = .editing
        message = "not closed: \(document.trouble ?? "the text could not be saved")"
      }
    }
  }

  private var isInConflict: Bool { document.documentState.contains(.inConflict) }

  // MARK: keys

  private func handle(_ key: TerminalScreen.Key, rows: Int) {
    switch mode {
    case .ending: return
    case .comparing(let first): scroll(key, first, rows)
    case .editing: edit(key, rows)
    }
  }

  private func edit(_ key: TerminalScreen.Key, _ rows: Int) {
    guard isOpen else { return }
    message = ""
    if isInConflict, resolve(key) { return }
    if editor.move(key, in: document.text, rows: rows) { return }
    switch key {
    case .control("q"):
      if isInConflict {
        message = "first decide: Ctrl-O keep yours, Ctrl-T keep theirs, Ctrl-D compare"
      } else {
        finish()
      }
    case .control("s"): save()
    case .control("z") where document.undoManager.canUndo: document.undoRun()
    case .control("y") where document.undoManager.canRedo: document.redoRun()
    default:
      if document.documentState.contains(.editingDisabled) {
        message = "one moment: the file is being read"
      } else if let edit = editor.edit(key, in: document.text) {
        document.replace(edit.range, with: edit.bytes, run: edit.run)
      }
    }
  }

  private func save() {
    editor.endRun()
    guard !isInConflict else { return }
    document.autosave { [unowned self] success in
      message = success ? Self.saved : "not saved: \(document.trouble ?? "unknown")"
    }
  }

  private func resolve(_ key: TerminalScreen.Key) -> Bool {
    switch key {
    case .control("o"):
      document.keepMine { [unowned self] in message = $0 ? "kept yours" : failure }
    case .control("t"):
      document.keepTheirs { [unowned self] in message = $0 ? "kept theirs" : failure }
    case .control("d"):
      if compare() { mode = .comparing(from: 0) }
    default: return false
    }
    return true
  }

  private var failure: String { "did not work: \(document.trouble ?? "unknown")" }

  /// Puts both texts side by side; where that shows nothing, ``message`` says why.
  private func compare() -> Bool {
    guard let theirs = document.theirs else { return false }
    do {
      let (mine, other) = (document.text.data, try Data(contentsOf: theirs.url))
      guard mine != other else {
        message = "your text is the one in the file; the program with the other one has to decide"
        return false
      }
      comparison = LineComparison.lines(mine: mine, theirs: other)
      return true
    } catch {
      message = "their text cannot be read: \(error.localizedDescription)"
      return false
    }
  }

  /// One of the texts changed, or the conflict is over, while both are on the screen.
  private func compareAgain() {
    guard case .comparing = mode else { return }
    if !isInConflict || !compare() { mode = .editing }
  }

  private func scroll(_ key: TerminalScreen.Key, _ first: Int, _ rows: Int) {
    let last = max(comparison.count - rows, 0)
    switch key {
    case .up: mode = .comparing(from: max(first - 1, 0))
    case .down: mode = .comparing(from: min(first + 1, last))
    case .pageUp: mode = .comparing(from: max(first - rows, 0))
    case .pageDown: mode = .comparing(from: min(first + rows, last))
    case .resized: break
    default: mode = .editing
    }
  }

  // MARK: the screen

  private func draw(_ screen: borrowing TerminalScreen) {
    let rows = max(screen.rows - 1, 1)
    let columns = max(screen.columns, 1)
    if !isInConflict { compareAgain() }
    if case .comparing(let first) = mode {
      for row in 0..<rows {
        let text = first + row < comparison.count ? comparison[first + row] : ""
        screen.setRow(row, TextLine(Array(text.utf8)).text(from: 0, columns: columns))
      }
      let help = " - yours, + theirs; any key goes back"
      screen.setRow(rows, Self.fit(help, "", columns), isReversed: true)
      screen.show(row: rows, column: 0)
      return
    }
    let view = editor.view(of: document.text, rows: rows, columns: columns)
    for (row, text) in view.rows.enumerated() { screen.setRow(row, text) }
    let place = "\(view.line):\(view.column) "
    screen.setRow(rows, Self.fit(status, place, columns), isReversed: true)
    screen.show(row: view.cursorRow, column: min(view.cursorColumn, columns - 1))
  }

  /// What the user has to know of the document.
  private var status: String {
    let name = " \(document.fileURL.lastPathComponent) — "
    let state = document.documentState
    if !isOpen { return name + "opening…" }
    if state.contains(.inConflict) {
      let question =
        "CONFLICT: both changed. Ctrl-O keep yours, Ctrl-T keep theirs, Ctrl-D compare"
      // That one's own text was saved must not hide that another's stands against it.
      return name + (message.isEmpty || message == Self.saved ? question : message)
    }
    if !message.isEmpty { return name + message }
    if state.contains(.savingError) {
      return name + "NOT SAVED: \(document.trouble ?? "the disk refused it")"
    }
    if state.contains(.editingDisabled) { return name + "reading…" }
    return name + (document.hasUnsavedChanges ? "edited" : "saved")
  }

  private static func fit(_ left: String, _ right: String, _ columns: Int) -> String {
    let end = TextLine(Array(right.utf8)).width
    // The last column stays empty: some terminals go to the next line there.
    let room = max(columns - 1 - end, 0)
    let shown = TextLine(Array(left.utf8)).text(from: 0, columns: room)
    let used = TextLine(Array(shown.utf8)).width
    return shown + String(repeating: " ", count: max(room - used, 0)) + (end < columns ? right : "")
  }
}

/// The program and its loop, for work that comes from other threads and runs on the main one.
// @unchecked because the program is touched inside `loop.perform` only, which is the main thread.
private struct MainThreadReference: @unchecked Sendable {
  let program: NotesProgram
  var loop: TerminalLoop { program.mainLoop }
  init(_ program: NotesProgram) { self.program = program }
}

extension NotesProgram {
  fileprivate var mainLoop: TerminalLoop { loop }
}
