/// What a menu offers besides other programs.
///
/// Stands for the selectors that Apple's delegate is asked about; those of the last two are ours.
public struct DocumentAction: RawRepresentable, Hashable, Sendable {
  /// The selector's name.
  public let rawValue: String
  /// An action of this name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Puts the file on the clipboard.
  public static let copy = DocumentAction(rawValue: "copy:")
  /// Prints the file.
  public static let print = DocumentAction(rawValue: "print:")
  /// Copies a picture or a film to where the user keeps such.
  public static let saveToCameraRoll = DocumentAction(rawValue: "saveToCameraRoll:")
  /// Ours: shows the file in the file manager.
  public static let reveal = DocumentAction(rawValue: "reveal:")
  /// Ours: moves the file to the trash.
  public static let moveToTrash = DocumentAction(rawValue: "moveToTrash:")

  /// All, in the order of the menu.
  static let all: [DocumentAction] = [.print, .copy, .saveToCameraRoll, .reveal, .moveToTrash]

  var title: String {
    switch self {
    case .copy: "Copy"
    case .print: "Print"
    case .saveToCameraRoll: "Save a Copy"
    case .reveal: "Show in File Manager"
    case .moveToTrash: "Move to Trash"
    default: rawValue
    }
  }
}
