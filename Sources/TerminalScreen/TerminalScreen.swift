import CNcurses

/// The terminal as a screen of lines and a source of keys, through ncurses.
///
/// ncurses has one screen per process, and it belongs to the thread that started it: only that one
/// may call anything here.
package struct TerminalScreen: ~Copyable {
  /// What a user pressed.
  package enum Key: Hashable, Sendable {
    case character(Character)
    /// A letter with the control key.
    case control(Character)
    case up, down, left, right, home, end, pageUp, pageDown
    case enter, backspace, delete, escape, tab
    /// The terminal has another size now.
    case resized
    case unknown
  }

  /// Takes the terminal over; nil where standard input and output are no terminal that is known.
  package init?() {
    guard nc_start() else { return nil }
  }

  /// Gives the terminal back as it was.
  deinit { nc_end() }

  /// Lines on the screen.
  package var rows: Int { Int(nc_rows()) }
  /// Columns on the screen.
  package var columns: Int { Int(nc_columns()) }

  /// Writes a line, which must fit; what stood there is cleared.
  package func setRow(_ row: Int, _ text: String, isReversed: Bool = false) {
    unsafe text.withCString { unsafe nc_row(CInt(row), isReversed, $0) }
  }

  /// Shows all that was written, and the cursor.
  package func show(row: Int, column: Int) { nc_show(CInt(row), CInt(column)) }

  /// The next key, or nil: none waits.
  package func nextKey() -> Key? {
    var code: CUnsignedInt = 0
    switch unsafe nc_key(&code) {
    case 1: return character(code)
    case 2: return function(code)
    default: return nil
    }
  }

  /// How many columns a scalar takes: 0, 1 or 2; -1 for a control character.
  package static func width(of scalar: Unicode.Scalar) -> Int {
    // The common ones without a question.
    if scalar.value >= 32, scalar.value < 127 { return 1 }
    _ = hasLocale
    return Int(nc_width(scalar.value))
  }

  private static let hasLocale = nc_locale()

  private func character(_ code: CUnsignedInt) -> Key {
    switch code {
    case 10, 13: return .enter
    case 8, 127: return .backspace
    case 9: return .tab
    case 27: return .escape
    case 1...26: return .control(Character(Unicode.Scalar(UInt8(code + 96))))
    default: return Unicode.Scalar(code).map { .character(Character($0)) } ?? .unknown
    }
  }

  private func function(_ code: CUnsignedInt) -> Key {
    switch code {
    case nc_up.rawValue: .up
    case nc_down.rawValue: .down
    case nc_left.rawValue: .left
    case nc_right.rawValue: .right
    case nc_home.rawValue: .home
    case nc_last.rawValue: .end
    case nc_page_up.rawValue: .pageUp
    case nc_page_down.rawValue: .pageDown
    case nc_backspace.rawValue: .backspace
    case nc_delete.rawValue: .delete
    case nc_enter.rawValue: .enter
    case nc_resize.rawValue: .resized
    default: .unknown
    }
  }
}
