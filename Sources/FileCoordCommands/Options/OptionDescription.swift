/// One option of a verb, as getopt_long(3) knows it and as the help shows it.
struct OptionDescription: Hashable, Sendable {
  /// The name after two hyphens.
  let long: String
  /// The letter after one hyphen, if it has one.
  let short: Character?
  /// What its argument is called; nil for an option without one.
  let argument: String?
  /// What it does, in one line.
  let help: String
  /// Left out of the help: for the command's own use.
  let isHidden: Bool

  init(
    _ long: String,
    _ short: Character? = nil,
    argument: String? = nil,
    hidden: Bool = false,
    _ help: String
  ) {
    self.long = long
    self.short = short
    self.argument = argument
    self.help = help
    isHidden = hidden
  }

  static let help = OptionDescription("help", "h", "show this text")
  static let json = OptionDescription("json", "j", "one JSON object per line")
}
