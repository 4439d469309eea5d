import CGtk

/// Widgets in a row or a column.
package final class Box: Widget {
  package enum Direction: Sendable { case across, along }

  package init(_ direction: Direction, spacing: Int = 0, _ children: [Widget] = []) {
    unsafe super.init(gw_box_new(direction == .along ? 1 : 0, Int32(spacing)))
    for child in children { append(child) }
  }

  /// Adds one at the end.
  package func append(_ child: Widget) { unsafe gw_box_append(pointer, child.pointer) }

  /// Has these in it instead of those before.
  package func replace(with children: [Widget]) {
    unsafe gw_box_clear(pointer)
    for child in children { append(child) }
  }
}

/// A widget that may be bigger than the room there is.
package final class Scroller: Widget {
  package init(_ child: Widget) { unsafe super.init(gw_scroller_new(child.pointer)) }
}

/// Widgets in columns.
package final class Grid: Widget {
  package init() { unsafe super.init(gw_grid_new()) }

  package func put(_ child: Widget, column: Int, row: Int) {
    unsafe gw_grid_attach(pointer, child.pointer, Int32(column), Int32(row))
  }
}
