import DocInteractionModel
import DocumentInteraction
import Foundation
import TerminalScreen

/// The list of a folder's items on a terminal, and the keys of its user; knows no screen.
@MainActor final class FolderBrowser {
  private let folder: InteractiveFolder
  let frontEnd = BrowserFrontEnd()
  private var items: [FolderItem] = []
  private var selected = 0
  private(set) var isDone = false
  var needsDisplay: @MainActor () -> Void = {}

  /// - Throws: where it is no folder.
  init(_ url: URL) throws {
    folder = try InteractiveFolder(url, frontEnd: frontEnd)
    folder.didChange = { [weak self] in self?.update() }
  }

  /// Keeps the list current from now on.
  func follow() async { await folder.follow() }

  /// The bar stays on its item, whatever comes before it.
  private func update() {
    let current = items.indices.contains(selected) ? items[selected].url : nil
    items = folder.items
    selected = items.firstIndex { $0.url == current } ?? min(selected, max(0, items.count - 1))
    needsDisplay()
  }

  // MARK: keys

  func handle(_ key: TerminalScreen.Key, rows: Int) {
    switch frontEnd.showing {
    case .nothing: handleInList(key, rows)
    case .menu, .preview: handleOver(key, rows)
    }
  }

  private func handleInList(_ key: TerminalScreen.Key, _ rows: Int) {
    switch key {
    case .up: selected = max(0, selected - 1)
    case .down: selected = max(0, min(items.count - 1, selected + 1))
    case .pageUp: selected = max(0, selected - rows)
    case .pageDown: selected = max(0, min(items.count - 1, selected + rows))
    case .home: selected = 0
    case .end: selected = max(0, items.count - 1)
    case .enter, .character(" "), .character("p"): forSelected(folder.look)
    case .character("o"): forSelected(folder.openIn)
    case .character("a"): forSelected(folder.offerOptions)
    case .character("q"), .control("c"), .control("q"): isDone = true
    default: break
    }
  }

  private func handleOver(_ key: TerminalScreen.Key, _ rows: Int) {
    switch key {
    case .up: frontEnd.move(by: -1)
    case .down: frontEnd.move(by: 1)
    case .pageUp: frontEnd.move(by: -rows)
    case .pageDown: frontEnd.move(by: rows)
    case .enter, .character(" "): frontEnd.take()
    case .escape, .character("q"), .control("c"): frontEnd.putAway()
    default: break
    }
  }

  private func forSelected(_ act: (FolderItem) -> Void) {
    if items.indices.contains(selected) { act(items[selected]) }
  }

  // MARK: lines

  /// A line of the screen.
  struct Line: Hashable {
    var text: String
    var isReversed = false
  }

  /// What the screen shows; each line fits.
  func lines(columns: Int, rows: Int) -> [Line] {
    let room = max(1, rows - 2)
    var body: [Line]
    switch frontEnd.showing {
    case .nothing: body = list(columns, room)
    case .menu(let menu, let chosen, _):
      let top = max(0, chosen - room + 1)
      body = menu.entries.enumerated().dropFirst(top)
        .map { Line(text: " " + TerminalText.plain($1.title), isReversed: $0 == chosen) }
    case .preview(let preview, let top, _):
      let all = preview.lines(columns: columns, rows: rows - 2, hasColours: false)
      body = all.dropFirst(min(top, max(0, all.count - 1))).map { Line(text: $0) }
    }
    body = Array(body.prefix(room))
    body += Array(repeating: Line(text: ""), count: room - body.count)
    let keys = "Enter: look  o: open in  a: all that can be done  q: quit"
    let message = folder.message.isEmpty ? keys : folder.message
    return ([Line(text: folder.title, isReversed: true)] + body + [Line(text: message)])
      .map { Line(text: Self.cut($0.text, columns), isReversed: $0.isReversed) }
  }

  private func list(_ columns: Int, _ room: Int) -> [Line] {
    let top = max(0, selected - room + 1)
    return items.enumerated().dropFirst(top).map { index, item in
      let name = Self.cut("\(item.symbol) \(TerminalText.plain(item.name))", max(1, columns - 14))
      let gap = max(1, columns - 1 - Self.width(name) - item.size.count)
      return Line(
        text: name + String(repeating: " ", count: gap) + item.size,
        isReversed: index == selected
      )
    }
  }

  private static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + max(0, TerminalScreen.width(of: $1)) }
  }

  private static func cut(_ text: String, _ columns: Int) -> String {
    var room = columns
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let width = TerminalScreen.width(of: scalar)
      if width < 0 { continue }
      room -= width
      if room < 0 { break }
      result.append(scalar)
    }
    return String(result)
  }
}
