/// A menu that a user is to choose from.
public struct DocumentMenu: Sendable {
  /// What a row stands for.
  public enum Choice: Hashable, Sendable {
    /// To see the file.
    case preview
    /// One of the actions.
    case action(DocumentAction)
    /// To open the file in the program of this name.
    case program(String)
  }

  /// One row.
  public struct Entry: Hashable, Sendable {
    /// What it stands for.
    public let choice: Choice
    /// What the user reads.
    public let title: String
    /// An icon's name in the icon theme, or the path of a picture; nil: none.
    public let icon: String?

    /// A row.
    public init(choice: Choice, title: String, icon: String? = nil) {
      self.choice = choice
      self.title = title
      self.icon = icon
    }
  }

  /// What the menu is about.
  public let title: String
  /// The rows, from the first to the last; never empty.
  public let entries: [Entry]

  /// A menu.
  public init(title: String, entries: [Entry]) {
    self.title = title
    self.entries = entries
  }
}
