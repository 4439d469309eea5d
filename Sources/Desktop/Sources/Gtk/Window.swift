import CGtk

/// A window with a title bar of its own.
package final class Window: Widget {
  /// A window, not shown yet.
  package init(width: Int, height: Int) {
    unsafe super.init(gw_window_new(Int32(width), Int32(height)))
  }

  /// The title.
  package var title = "" { didSet { unsafe gw_window_set_title(pointer, title) } }

  /// What is in it.
  package var content: Widget? {
    didSet { if let content { unsafe gw_window_set_child(pointer, content.pointer) } }
  }

  /// How big it is when it is shown for the first time.
  package func setSize(width: Int, height: Int) {
    unsafe gw_window_resize(pointer, Int32(width), Int32(height))
  }

  /// Stays above another, and goes with it.
  package func stay(above parent: Window) {
    unsafe gw_window_set_parent(pointer, parent.pointer)
  }

  /// Shows it, in front.
  package func present() { unsafe gw_window_present(pointer) }

  /// Closes it as its user would.
  package func close() { unsafe gw_window_close(pointer) }

  /// Called when it is about to close; it closes.
  package func onClose(_ handle: @escaping @MainActor () -> Void) {
    let handler = Handler<Void, Void>(handle)
    unsafe gw_window_on_close(
      pointer,
      { _, data in
        unsafe Handler<Void, Void>.run(data, (), otherwise: ())
        return 0
      },
      handler.retained,
      releaseHandler
    )
  }
}
