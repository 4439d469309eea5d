import CGtk

/// Anything that is shown; kept by what it is put into.
@safe @MainActor package class Widget {
  let pointer: UnsafeMutablePointer<GtkWidget>

  /// Takes over what GTK made.
  init(_ made: UnsafeMutablePointer<GtkWidget>?) {
    guard let made = unsafe made else { preconditionFailure("GTK's makers never fail") }
    unsafe gw_sink(made)
    unsafe pointer = made
  }

  isolated deinit { unsafe gw_unref(pointer) }

  /// Whether it is shown; at first it is.
  package var isShown: Bool {
    get { unsafe gtk_widget_get_visible(pointer) != 0 }
    set { unsafe gtk_widget_set_visible(pointer, newValue ? 1 : 0) }
  }

  /// Whether it can be seen now, as far as its window can.
  package var isOnScreen: Bool { unsafe gtk_widget_get_mapped(pointer) != 0 }

  /// Whether it takes all the room there is.
  package func setExpanding(across: Bool, along: Bool) {
    unsafe gtk_widget_set_hexpand(pointer, across ? 1 : 0)
    unsafe gtk_widget_set_vexpand(pointer, along ? 1 : 0)
  }

  /// Stays in the middle of the room it has, as small as can be.
  package func centre() {
    unsafe gtk_widget_set_halign(pointer, GTK_ALIGN_CENTER)
    unsafe gtk_widget_set_valign(pointer, GTK_ALIGN_CENTER)
  }

  /// Free room around it.
  package func setMargins(across: Int, along: Int) {
    unsafe gw_set_margins(pointer, Int32(across), Int32(along))
  }

  /// Gives it a class of the style.
  package func addClass(_ name: String) { unsafe gtk_widget_add_css_class(pointer, name) }

  /// Makes it weaker than what is important.
  package func setFaded(_ isFaded: Bool) {
    unsafe gtk_widget_set_opacity(pointer, isFaded ? 0.4 : 1)
  }

  /// Has keys go there.
  package func focus() { _ = unsafe gtk_widget_grab_focus(pointer) }

  /// Where its middle is in another widget; nil: they are not in one window, or it is not shown.
  package func middle(in other: Widget) -> Point? {
    var (x, y): (Int32, Int32) = (0, 0)
    guard unsafe gw_middle(pointer, other.pointer, &x, &y) != 0 else { return nil }
    return Point(x: Int(x), y: Int(y))
  }

  /// Called with each key before the widget that has the focus; true: that does not get it.
  package func onKey(_ handle: @escaping @MainActor (Key) -> Bool) {
    let handler = Handler<Key, Bool>(handle)
    unsafe gw_on_key(
      pointer,
      { _, code, _, state, data in
        let key = Key(code, state)
        return unsafe Handler<Key, Bool>.run(data, key, otherwise: false) ? 1 : 0
      },
      handler.retained,
      releaseHandler
    )
  }

  /// Called with the place, from its left upper corner, of a click with the second button.
  package func onSecondaryClick(_ handle: @escaping @MainActor (Point) -> Void) {
    let handler = Handler<Point, Void>(handle)
    unsafe gw_on_secondary_click(
      pointer,
      { _, _, x, y, data in
        unsafe Handler<Point, Void>.run(data, Point(x: Int(x), y: Int(y)), otherwise: ())
      },
      handler.retained,
      releaseHandler
    )
  }

  /// A place within a widget.
  package struct Point: Sendable {
    package let x: Int
    package let y: Int

    package init(x: Int, y: Int) {
      self.x = x
      self.y = y
    }
  }
}
