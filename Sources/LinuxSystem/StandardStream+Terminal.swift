import Glibc

extension StandardStream {
  /// Whether standard input and standard output are both a terminal.
  ///
  /// - SeeAlso: isatty(3)
  package static var isTerminal: Bool { isatty(0) == 1 && isatty(1) == 1 }
  /// Whether this stream goes to a terminal.
  package var reachesTerminal: Bool { isatty(rawValue) == 1 }
  /// Whether standard output is a terminal.
  package static var outputIsTerminal: Bool { isatty(1) == 1 }

  /// How many columns and rows the terminal of standard output has; 80 and 24 where it does not say.
  ///
  /// - SeeAlso: ioctl_tty(2) TIOCGWINSZ
  package static var terminalSize: (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// How many dots a character of that terminal takes; nil where it does not say.
  ///
  /// - SeeAlso: ioctl_tty(2) TIOCGWINSZ, ws_xpixel
  package static var cellSize: (width: Int, height: Int)? {
    var size = winsize()
    guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return nil
    }
    let (width, height) = (size.ws_xpixel / size.ws_col, size.ws_ypixel / size.ws_row)
    return width > 0 && height > 0 ? (Int(width), Int(height)) : nil
  }
}
