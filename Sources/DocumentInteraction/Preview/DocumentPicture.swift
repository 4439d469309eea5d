/// A picture as dots: red, green and blue, a byte each, line by line.
public struct DocumentPicture: Hashable, Sendable {
  /// How wide it is, in dots.
  public let width: Int
  /// How high it is, in dots.
  public let height: Int
  /// Three bytes for each dot.
  public let bytes: [UInt8]
  /// How big it is in the file, where that is known.
  public let original: Size?

  /// Width and height.
  public struct Size: Hashable, Sendable {
    /// In dots.
    public let width: Int
    /// In dots.
    public let height: Int
  }

  /// Nil unless there are three bytes for each dot.
  init?(width: Int, height: Int, bytes: [UInt8], original: Size? = nil) {
    guard width > 0, height > 0, width <= 4096, height <= 4096, bytes.count == width * height * 3
    else { return nil }
    self.width = width
    self.height = height
    self.bytes = bytes
    self.original = original
  }

  /// The colour of a dot.
  public subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let at = (y * width + x) * 3
    return (bytes[at], bytes[at + 1], bytes[at + 2])
  }

  /// The same picture with at most so many dots, each the mean of those it stands for.
  public func fitted(width most: Int, height mostHigh: Int) -> DocumentPicture {
    let factor = min(1, Double(most) / Double(width), Double(mostHigh) / Double(height))
    let (columns, lines) = (
      max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor))
    )
    if columns == width, lines == height { return self }
    var result: [UInt8] = []
    result.reserveCapacity(columns * lines * 3)
    for line in 0..<lines {
      let rows =
        (line * height / lines)..<max((line + 1) * height / lines, line * height / lines + 1)
      for column in 0..<columns {
        let start = column * width / columns
        let dots = start..<max((column + 1) * width / columns, start + 1)
        var sum = (0, 0, 0)
        for y in rows {
          for x in dots {
            let dot = self[x, y]
            sum = (sum.0 + Int(dot.red), sum.1 + Int(dot.green), sum.2 + Int(dot.blue))
          }
        }
        let count = rows.count * dots.count
        result += [UInt8(sum.0 / count), UInt8(sum.1 / count), UInt8(sum.2 / count)]
      }
    }
    return DocumentPicture(width: columns, height: lines, bytes: result, original: original) ?? self
  }

  /// Lines for a terminal with 24-bit colours: two dots in each character, one above the other.
  public func colouredLines(columns: Int, lines: Int) -> [String] {
    let picture = fitted(width: columns, height: lines * 2)
    return stride(from: 0, to: picture.height, by: 2).map { y in
      var line = ""
      for x in 0..<picture.width {
        let top = picture[x, y]
        line += "\u{1b}[38;2;\(top.red);\(top.green);\(top.blue)m"
        if y + 1 < picture.height {
          let below = picture[x, y + 1]
          line += "\u{1b}[48;2;\(below.red);\(below.green);\(below.blue)m"
        }
        line += "▀"
      }
      return line + "\u{1b}[0m"
    }
  }

  /// Lines for any terminal: the lighter a dot, the fuller its block.
  public func shadedLines(columns: Int, lines: Int) -> [String] {
    // Characters are about twice as high as wide.
    let wide = fitted(width: max(1, columns / 2 * 2), height: lines * 2)
    let shades: [Character] = [" ", "░", "▒", "▓", "█"]
    return stride(from: 0, to: wide.height, by: 2).map { y in
      String(
        (0..<wide.width).map { x in
          var sum = 0
          var count = 0
          for line in y..<min(y + 2, wide.height) {
            let dot = wide[x, line]
            sum += 299 * Int(dot.red) + 587 * Int(dot.green) + 114 * Int(dot.blue)
            count += 1
          }
          return shades[min(4, sum / count / 1000 * 5 / 256)]
        }
      )
    }
  }
}
