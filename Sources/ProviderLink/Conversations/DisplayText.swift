/// Texts of others, fit to be shown on a terminal.
package enum DisplayText {
  /// The text with a replacement for everything that is no character to be seen: what moves a
  /// terminal's cursor, what turns the direction of writing round, ends of lines.
  package static func clean(_ text: String) -> String {
    var shown = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{fffd}")
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
