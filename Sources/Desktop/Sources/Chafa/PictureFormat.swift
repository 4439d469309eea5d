/// How a picture is written to a terminal.
public enum PictureFormat: String, CaseIterable, Sendable {
  /// The graphics of DEC's terminals, which many know.
  case sixel
  /// The protocol of kitty.
  case kitty
  /// The protocol of iTerm2.
  case iterm
  /// Characters, in as many colours as the terminal has.
  case blocks
}
