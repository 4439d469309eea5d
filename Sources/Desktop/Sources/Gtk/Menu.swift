import CGtk

/// Rows of which one is to be chosen, in a bubble that points at something.
@safe package final class Menu: Widget {
  private let rows: Widget
  private let count: Int
  private var answer: (@MainActor (Int?) -> Void)?

  /// A menu, not open yet.
  ///
  /// - Parameters:
  ///   - title: what it is about.
  ///   - entries: the rows; at least one.
  ///   - anchor: the widget that it belongs to.
  ///   - point: at what it points in there.
  package init(_ title: Label, _ entries: [Widget], in anchor: Widget, at point: Point) {
    rows = unsafe Widget(gw_rows_new())
    count = entries.count
    for entry in entries { unsafe gw_rows_append(rows.pointer, entry.pointer) }
    let box = Box(.along, spacing: 6, [title, rows])
    unsafe super.init(gw_popover_new(anchor.pointer, box.pointer))
    unsafe gw_popover_point(pointer, Int32(point.x), Int32(point.y))
  }

  /// Opens it; `answer` is called once, with the row that was chosen, or nil: none was.
  package func open(_ answer: @escaping @MainActor (Int?) -> Void) {
    self.answer = answer
    let chosen = Handler<Int, Void> { [weak self] in self?.end($0) }
    unsafe gw_rows_on_activate(
      rows.pointer,
      { _, row, data in
        let index = Int(unsafe gw_row_index(row))
        unsafe Handler<Int, Void>.run(data, index, otherwise: ())
      },
      chosen.retained,
      releaseHandler
    )
    let closed = Handler<Void, Void> { [weak self] in self?.end(nil) }
    unsafe gw_connect_plain(
      pointer,
      "closed",
      { _, data in unsafe Handler<Void, Void>.run(data, (), otherwise: ()) },
      closed.retained,
      releaseHandler
    )
    unsafe gw_popover_open(pointer)
    unsafe gw_rows_select(rows.pointer, 0)
  }

  /// Puts it away; nothing was chosen.
  package func close() { end(nil) }

  private func end(_ index: Int?) {
    guard let answer else { return }
    self.answer = nil
    unsafe gw_popover_close(pointer)
    // Not while GTK is in the middle of its own closing.
    Task {
      unsafe gw_popover_forget(pointer)
      answer(index)
    }
  }
}
