import DocInteractionModel
import DocumentInteraction
import Gtk

/// The items of the folder as rows.
@MainActor final class FolderRows: ListView.Source {
  private(set) var items: [FolderItem] = []
  /// Called with a row's place when it is clicked with the second button.
  var clicked: @MainActor (Int) -> Void = { _ in }
  private var rows: [FolderRow] = []

  /// What is not the same in two lists, between what is at their beginnings and ends.
  struct Change {
    let start: Int
    let removed: Int
    let added: Int
  }

  /// Takes new items; nil: they are the same.
  func update(_ new: [FolderItem]) -> Change? {
    if new == items { return nil }
    let shorter = min(new.count, items.count)
    let start = zip(items, new).prefix { $0 == $1 }.count
    let end = zip(items.reversed(), new.reversed()).prefix { $0 == $1 }.count
    let kept = min(end, shorter - start)
    let change = Change(
      start: start,
      removed: items.count - start - kept,
      added: new.count - start - kept
    )
    items = new
    return change
  }

  /// The row that shows an item now, if one does.
  func row(at index: Int) -> FolderRow? {
    guard items.indices.contains(index) else { return nil }
    return rows.first { $0.item == items[index] && $0.root.isOnScreen }
  }

  func makeRow() -> any ListView.Row {
    let row = FolderRow()
    rows.append(row)
    row.root.onSecondaryClick { [weak self, weak row] _ in
      guard let self, let item = row?.item, let index = items.firstIndex(of: item) else { return }
      clicked(index)
    }
    return row
  }

  func fill(_ row: any ListView.Row, at index: Int) {
    guard let row = row as? FolderRow, items.indices.contains(index) else { return }
    row.show(items[index])
  }
}

/// Icon, name and size of one item.
@MainActor final class FolderRow: ListView.Row {
  private let icon = Icon(size: 32)
  private let name = Label()
  private let size = Label(side: .end)
  private let box: Box
  private(set) var item: FolderItem?

  var root: Widget { box }

  init() {
    name.shorten()
    name.setExpanding(across: true, along: false)
    size.addClass("dim")
    box = Box(.across, spacing: 12, [icon, name, size])
    box.setMargins(across: 8, along: 4)
  }

  func show(_ item: FolderItem) {
    self.item = item
    icon.set(item.iconNames + ["text-x-generic"])
    name.text = TerminalText.plain(item.name)
    size.text = item.size
  }
}
