import CGtk

/// Some words.
package final class Label: Widget {
  package enum Side: Sendable { case start, middle, end }

  package init(_ text: String = "", side: Side = .start) {
    self.text = text
    unsafe super.init(gtk_label_new(text))
    unsafe gw_label_set_side(pointer, side == .start ? 0 : side == .middle ? 0.5 : 1)
  }

  /// What it says; ends at a NUL.
  package var text: String { didSet { unsafe gw_label_set_text(pointer, text) } }

  /// Long text goes on in the next line.
  package func wrap() { unsafe gw_label_set_wrap(pointer) }

  /// Of text that is too long the middle is left out.
  package func shorten() { unsafe gw_label_set_ellipsis(pointer) }
}

/// An icon of the theme.
package final class Icon: Widget {
  package init(_ names: [String] = [], size: Int) {
    unsafe super.init(gtk_image_new())
    unsafe gw_image_set_size(pointer, Int32(size))
    set(names)
  }

  /// The first of these names that the theme has.
  package func set(_ names: [String]) {
    let icon = unsafe names.first.flatMap { unsafe gw_icon_new($0) }
    for name in names.dropFirst() { unsafe gw_icon_append(icon, name) }
    unsafe gw_image_take(pointer, icon)
  }

  /// The picture in a file of ours; it is decoded in this process.
  package func set(file path: String) { unsafe gw_image_set_file(pointer, path) }
}

/// A picture as big as the room for it, never bigger than it is.
package final class Picture: Widget {
  /// Three bytes for each dot, line by line; nil where they are too few.
  package init?(width: Int, height: Int, bytes: [UInt8]) {
    guard width > 0, height > 0, bytes.count == width * height * 3 else { return nil }
    let made = unsafe bytes.withUnsafeBytes { buffer in
      unsafe gw_picture_new(buffer.baseAddress, buffer.count, Int32(width), Int32(height))
    }
    unsafe super.init(made)
  }
}

/// Text in which each character is as wide as any other; to be put into a ``Scroller``.
package final class TextArea: Widget {
  /// - Parameter text: without NUL.
  package init(_ text: String) {
    unsafe super.init(gw_text_new(text, Int32(text.utf8.count)))
  }
}
