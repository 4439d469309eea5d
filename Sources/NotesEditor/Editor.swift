package import TerminalScreen

/// Where the cursor is in a text, what is in view, and what each key does to both.
///
/// Knows no terminal: it says what the screen shows as lines of text.
package struct Editor {
  /// Where the cursor is, in bytes; always at the edge of a character.
  package private(set) var cursor = 0
  /// The column that the cursor would like to be in when it goes up and down.
  private var wishedColumn: Int?
  /// The first line and column in view.
  package private(set) var firstLine = 0
  package private(set) var firstColumn = 0
  /// Counts up where undo is to stop.
  private var run = 0
  private var lastWasTyping = false

  package init() {}

  // MARK: moving

  /// Moves the cursor; false for keys that do not.
  package mutating func move(_ key: TerminalScreen.Key, in text: TextBuffer, rows: Int) -> Bool {
    let line = text.line(at: cursor)
    let range = text.range(ofLine: line)
    let content = TextLine(text.bytes(range))
    let cell = content.cell(atByte: cursor - range.lowerBound)
    switch key {
    case .left:
      if cell > 0 {
        cursor = range.lowerBound + content.byte(ofCell: cell - 1)
      } else if line > 0 {
        cursor = text.range(ofLine: line - 1).upperBound
      }
    case .right:
      if cell < content.cells.count {
        cursor = range.lowerBound + content.byte(ofCell: cell + 1)
      } else if line + 1 < text.lineCount {
        cursor = range.upperBound + 1
      }
    case .home: cursor = range.lowerBound
    case .end: cursor = range.upperBound
    case .up: go(to: line - 1, content.column(ofCell: cell), text)
    case .down: go(to: line + 1, content.column(ofCell: cell), text)
    case .pageUp: go(to: line - max(rows - 1, 1), content.column(ofCell: cell), text)
    case .pageDown: go(to: line + max(rows - 1, 1), content.column(ofCell: cell), text)
    case .control("a"): cursor = 0
    case .control("e"): cursor = text.count
    default: return false
    }
    endRun()
    if ![.up, .down, .pageUp, .pageDown].contains(key) { wishedColumn = nil }
    return true
  }

  private mutating func go(to line: Int, _ column: Int, _ text: TextBuffer) {
    let wanted = wishedColumn ?? column
    wishedColumn = wanted
    let line = min(max(line, 0), text.lineCount - 1)
    let range = text.range(ofLine: line)
    let content = TextLine(text.bytes(range))
    cursor = range.lowerBound + content.byte(ofCell: content.cell(atColumn: wanted))
  }

  // MARK: editing

  /// What a key does to the text; nil for keys that do nothing to it.
  package mutating func edit(_ key: TerminalScreen.Key, in text: TextBuffer) -> Edit? {
    wishedColumn = nil
    switch key {
    case .character(let character):
      if character.isWhitespace != lastWasSpace { endRun() }
      lastWasSpace = character.isWhitespace
      return typed(Array(String(character).utf8))
    case .tab: return typed([UInt8(ascii: "\t")])
    case .enter:
      endRun()
      defer { endRun() }
      return typed([.newline])
    case .backspace:
      if lastWasTyping { endRun() }
      guard cursor > 0 else { return nil }
      return Edit(range: before(text)..<cursor, bytes: [], run: run)
    case .delete:
      if lastWasTyping { endRun() }
      guard cursor < text.count else { return nil }
      return Edit(range: cursor..<after(text), bytes: [], run: run)
    case .control("k"):
      endRun()
      defer { endRun() }
      let line = text.line(at: cursor)
      let start = text.start(ofLine: line)
      let end = line + 1 < text.lineCount ? text.start(ofLine: line + 1) : text.count
      return start == end ? nil : Edit(range: start..<end, bytes: [], run: run)
    default: return nil
    }
  }

  /// Bytes to be replaced.
  package struct Edit {
    package let range: Range<Int>
    package let bytes: [UInt8]
    /// Edits of one run are undone together.
    package let run: Int
  }
  private var lastWasSpace = false

  private mutating func typed(_ bytes: [UInt8]) -> Edit {
    lastWasTyping = true
    return Edit(range: cursor..<cursor, bytes: bytes, run: run)
  }

  /// What is typed from now on is undone by itself.
  package mutating func endRun() {
    run += 1
    lastWasTyping = false
  }

  private func before(_ text: TextBuffer) -> Int {
    let range = text.range(ofLine: text.line(at: cursor))
    guard cursor > range.lowerBound else { return cursor - 1 }
    let content = TextLine(text.bytes(range))
    return range.lowerBound
      + content.byte(ofCell: content.cell(atByte: cursor - range.lowerBound) - 1)
  }

  private func after(_ text: TextBuffer) -> Int {
    let range = text.range(ofLine: text.line(at: cursor))
    guard cursor < range.upperBound else { return cursor + 1 }
    let content = TextLine(text.bytes(range))
    return range.lowerBound
      + content.byte(ofCell: content.cell(atByte: cursor - range.lowerBound) + 1)
  }

  /// The text changed: the cursor goes where it did.
  package mutating func follow(_ change: NoteDocument.TextChange, in text: TextBuffer) {
    switch change {
    case .edit(let start, _, let inserted): cursor = start + inserted
    case .reload: endRun()
    }
    cursor = min(cursor, text.count)
    // Not into the middle of a character of another text.
    let range = text.range(ofLine: text.line(at: cursor))
    let content = TextLine(text.bytes(range))
    cursor =
      range.lowerBound + content.byte(ofCell: content.cell(atByte: cursor - range.lowerBound))
  }

  // MARK: view

  /// What is seen of the text.
  package struct View {
    package let rows: [String]
    package let cursorRow: Int
    package let cursorColumn: Int
    /// From 1, as people count.
    package let line: Int
    package let column: Int
  }

  /// Brings the cursor into view, and says what is seen.
  package mutating func view(of text: TextBuffer, rows: Int, columns: Int) -> View {
    let line = text.line(at: cursor)
    let range = text.range(ofLine: line)
    let content = TextLine(text.bytes(range))
    let column = content.column(ofCell: content.cell(atByte: cursor - range.lowerBound))
    if line < firstLine { firstLine = line }
    if line >= firstLine + rows { firstLine = line - rows + 1 }
    firstLine = min(firstLine, text.lineCount - 1)
    if column < firstColumn { firstColumn = max(column - columns / 4, 0) }
    if column >= firstColumn + columns { firstColumn = column - columns * 3 / 4 }
    let shown = (firstLine..<(firstLine + rows)).map { number in
      guard number < text.lineCount else { return "~" }
      return TextLine(text.bytes(text.range(ofLine: number)))
        .text(from: firstColumn, columns: columns)
    }
    return View(
      rows: shown,
      cursorRow: line - firstLine,
      cursorColumn: column - firstColumn,
      line: line + 1,
      column: column + 1
    )
  }
}
