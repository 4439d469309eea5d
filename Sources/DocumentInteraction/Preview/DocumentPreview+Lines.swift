extension DocumentPreview {
  /// As lines for a terminal: the name, what there is to see, the facts.
  ///
  /// Nothing in the file reaches the terminal as a command: control characters are shown as such. A
  /// picture is what a writer makes of it, where there is one, and blocks of ours else.
  package func lines(
    columns: Int,
    rows: Int,
    hasColours: Bool,
    pictures: (DocumentPicture, _ columns: Int, _ rows: Int) -> String? = { _, _, _ in nil }
  ) -> [String] {
    let facts = facts.map { "\($0.name): \(TerminalText.plain($0.value))" }
    let head = [TerminalText.plain(title)]
    let room = max(1, rows - facts.count - 3)
    switch content {
    case .text(let text, _, let isWhole):
      var shown = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { TerminalText.plain(String($0)) }
      if shown.last == "" { shown.removeLast() }
      if !isWhole { shown.append("…") }
      return head + facts + [""] + shown
    case .picture(let picture):
      if let written = pictures(picture, columns, room) { return head + [written] + facts }
      return head
        + (hasColours
          ? picture.colouredLines(columns: columns, lines: room)
          : picture.shadedLines(columns: columns, lines: room))
        + facts
    case .none:
      return head + ["[\(TerminalText.plain(iconNames.first ?? "text-x-generic"))]"] + facts
        + (failure.map { ["", $0] } ?? [])
    }
  }
}

/// Text as a terminal, or the title of a window, may get it.
public enum TerminalText {
  /// The text in one line, with tabs as spaces and control characters made visible.
  public static func plain(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 9: result.append(contentsOf: "    ".unicodeScalars)
      case 0..<32: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
      case 127: result.append("\u{2421}")
      // Also what turns the direction of writing around, and so a name into another.
      case 128..<160, 0x202a...0x202e, 0x2066...0x2069, 0x200e, 0x200f: result.append("\u{fffd}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
