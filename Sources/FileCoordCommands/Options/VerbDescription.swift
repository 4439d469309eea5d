/// What a verb is called, takes and does: the parser and the help are made from it.
struct VerbDescription: Sendable {
  let name: String
  /// What follows the name, one line per form.
  let synopsis: [String]
  /// What it does, in one line.
  let summary: String
  let options: [OptionDescription]
  /// More for the help, wrapped at 80 columns.
  let details: String
  /// Whether a command follows `--`.
  let takesCommand: Bool
  /// Left out of the list of verbs: for the command's own use.
  let isHidden: Bool

  init(
    _ name: String,
    _ synopsis: [String],
    _ summary: String,
    options: [OptionDescription] = [],
    takesCommand: Bool = false,
    hidden: Bool = false,
    details: String = ""
  ) {
    self.name = name
    self.synopsis = synopsis
    self.summary = summary
    self.options = options + [.help]
    self.details = details
    self.takesCommand = takesCommand
    isHidden = hidden
  }

  /// What `filecoord NAME --help` shows.
  var help: String {
    var lines = synopsis.enumerated().map { index, form in
      "\(index == 0 ? "usage:" : "   or:") filecoord \(name)\(form.isEmpty ? "" : " ")\(form)"
    }
    lines += ["", summary.prefix(1).uppercased() + summary.dropFirst() + ".", "", "options:"]
    let shown = options.filter { !$0.isHidden }
    let width = shown.map { Self.spelling($0).count }.max() ?? 0
    for option in shown {
      let name = Self.spelling(option)
      lines.append(
        "  " + name + String(repeating: " ", count: width - name.count + 2) + option.help
      )
    }
    if !details.isEmpty { lines += ["", details] }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func spelling(_ option: OptionDescription) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.long)" + (option.argument.map { "=\($0)" } ?? "")
  }
}
