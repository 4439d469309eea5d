import DocumentInteraction
import Foundation
import Gtk

/// What a window shows of a preview.
@MainActor enum PreviewBody {
  /// The picture or the text with a line of facts below, else icon, name and all facts.
  static func make(of preview: DocumentPreview) -> Widget {
    switch preview.content {
    case .picture(let picture):
      guard
        let shown = Picture(width: picture.width, height: picture.height, bytes: picture.bytes)
      else { return card(preview) }
      shown.setExpanding(across: true, along: true)
      shown.setMargins(across: 12, along: 12)
      let stage = Box(.along, [shown])
      stage.addClass("stage")
      return Box(.along, [stage, facts(preview)])
    case .text(let text, _, let isWhole):
      let lines = lines(of: text)
      let area = TextArea(lines.joined(separator: "\n"))
      let note = isWhole ? nil : "only the beginning is shown"
      return Box(.along, [Scroller(area), facts(preview, note)])
    case .none:
      return card(preview)
    }
  }

  /// What could not be looked at at all.
  static func failure(_ name: String, _ message: String) -> Widget {
    card(name, ["text-x-generic"], message, [])
  }

  /// Whether two previews would be shown alike.
  static func looksSame(_ one: DocumentPreview, _ other: DocumentPreview) -> Bool {
    guard one.title == other.title, one.facts == other.facts, one.failure == other.failure else {
      return false
    }
    return switch (one.content, other.content) {
    case (.text(let one, _, _), .text(let other, _, _)): one == other
    case (.picture(let one), .picture(let other)): one == other
    case (.none, .none): one.iconNames == other.iconNames
    default: false
    }
  }

  /// How big a window shows it well.
  static func size(for preview: DocumentPreview) -> (width: Int, height: Int) {
    switch preview.content {
    case .picture(let picture):
      (max(360, min(1000, picture.width + 24)), max(260, min(760, picture.height + 100)))
    case .text: (720, 560)
    case .none: (480, 400)
    }
  }

  /// As the terminal gets it: control characters are visible.
  ///
  /// A line that has no end is broken: the
  /// time for its layout grows faster than it does.
  private static func lines(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
      var parts: [String] = []
      var rest = Substring(TerminalText.plain(String(line)))
      repeat {
        parts.append(String(rest.prefix(1000)))
        rest = rest.dropFirst(1000)
      } while !rest.isEmpty
      return parts
    }
  }

  private static func facts(_ preview: DocumentPreview, _ note: String? = nil) -> Widget {
    let wanted = ["Kind", "Picture", "Size", "Encoding", "Changed"]
    var words = wanted.compactMap { name in preview.facts.first { $0.name == name }?.value }
      .map { $0.replacing(" (\(preview.mimeType))", with: "") }
    if let note { words.append(note) }
    let label = Label(TerminalText.plain(words.joined(separator: "  ·  ")), side: .middle)
    label.shorten()
    label.addClass("facts")
    return label
  }

  private static func card(_ preview: DocumentPreview) -> Widget {
    card(preview.title, preview.iconNames, preview.failure, preview.facts)
  }

  private static func card(
    _ title: String,
    _ icons: [String],
    _ failure: String?,
    _ facts: [DocumentPreview.Fact]
  ) -> Widget {
    let name = Label(TerminalText.plain(title), side: .middle)
    name.wrap()
    name.addClass("name")
    var parts: [Widget] = [Icon(icons, size: 96), name]
    if let failure {
      let label = Label(failure, side: .middle)
      label.wrap()
      label.addClass("failure")
      parts.append(label)
    }
    if !facts.isEmpty {
      let grid = Grid()
      for (row, fact) in facts.enumerated() {
        let what = Label(fact.name, side: .end)
        what.addClass("dim")
        grid.put(what, column: 0, row: row)
        let value = Label(TerminalText.plain(fact.value))
        value.wrap()
        grid.put(value, column: 1, row: row)
      }
      parts.append(grid)
    }
    let box = Box(.along, spacing: 12, parts)
    box.setExpanding(across: true, along: true)
    box.setMargins(across: 24, along: 24)
    box.centre()
    // A window is at least as high as what is in it would be at its least width; not so in a scroller.
    return Scroller(box)
  }
}
