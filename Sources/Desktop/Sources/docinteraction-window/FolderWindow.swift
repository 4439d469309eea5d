import DesktopWindows
import DocInteractionModel
import DocumentInteraction
import Foundation
import Gtk

/// The list of a folder's items in a window, and the keys of its user.
@MainActor final class FolderWindow {
  private static let keys = "Space: look    o: open in    a: all that can be done    q: close"

  private let folder: InteractiveFolder
  private let window = Window(width: 640, height: 480)
  private let frontEnd: WindowFrontEnd
  private let status = Label(keys, side: .middle)
  private let rows = FolderRows()
  private let list: ListView
  private let content: Box

  /// - Throws: where it is no folder.
  init(_ url: URL) throws {
    frontEnd = WindowFrontEnd(window)
    folder = try InteractiveFolder(url, frontEnd: frontEnd)
    list = ListView(rows)
    status.shorten()
    status.addClass("facts")
    content = Box(.along, [Scroller(list), status])
    window.content = content
    window.title = TerminalText.plain(folder.url.lastPathComponent)
    folder.didChange = { [weak self] in self?.update() }
    frontEnd.anchor = { [weak self] in self?.anchor }
    rows.clicked = { [weak self] index in
      self?.list.selected = index
      self?.forSelected { $0.offerOptions(for: $1) }
    }
    list.onActivate { [weak self] index in
      self?.list.selected = index
      self?.forSelected { $0.look(at: $1) }
    }
    window.onKey { [weak self] in self?.handle($0) ?? false }
  }

  /// Shows it; `closed` is called when its user has closed it.
  func open(closed: @escaping @MainActor () -> Void) {
    window.onClose(closed)
    window.present()
    Task {
      await folder.follow()
      list.focus()
    }
  }

  // MARK: the list

  private func update() {
    let before = rows.items
    if let change = rows.update(folder.items) {
      let current = list.selected.flatMap { before.indices.contains($0) ? before[$0].url : nil }
      list.splice(at: change.start, removed: change.removed, added: change.added)
      // The selection stays on its item, whatever comes before it.
      if let current, let index = rows.items.firstIndex(where: { $0.url == current }) {
        list.selected = index
      }
      ShownLog.note("list " + rows.items.map { "\($0.name) (\($0.size))" }.joined(separator: ", "))
    }
    let message = folder.message.isEmpty ? Self.keys : folder.message
    if status.text != message {
      status.text = message
      ShownLog.note("status \(message)")
    }
  }

  /// Menus point at the item that they are about.
  private var anchor: (widget: Widget, point: Widget.Point)? {
    guard let selected = list.selected, let row = rows.row(at: selected),
      let middle = row.root.middle(in: content)
    else { return nil }
    return (content, middle)
  }

  // MARK: keys

  private func handle(_ key: Key) -> Bool {
    // A menu has keys of its own.
    if frontEnd.isShowingMenu { return false }
    switch key {
    case .character(" "), .character("p"): forSelected { $0.look(at: $1) }
    case .character("o"): forSelected { $0.openIn($1) }
    case .character("a"), .menu: forSelected { $0.offerOptions(for: $1) }
    case .character("q"), .escape: window.close()
    default: return false
    }
    return true
  }

  private func forSelected(_ act: (InteractiveFolder, FolderItem) -> Void) {
    guard let index = list.selected, rows.items.indices.contains(index) else { return }
    act(folder, rows.items[index])
  }
}
