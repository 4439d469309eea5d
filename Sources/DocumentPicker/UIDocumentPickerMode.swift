import ProviderLink

/// What a document picker does with what the user chooses.
///
/// Apple symbol: UIDocumentPickerMode.
public enum UIDocumentPickerMode: UInt, Hashable, Sendable, CaseIterable {
  /// A file of somebody else's is copied; the program gets the copy.
  case `import` = 0
  /// A file of somebody else's is used where it is.
  case open = 1
  /// A copy of a file of ours goes to somebody else.
  case exportToService = 2
  /// A file of ours goes to somebody else, and is used there.
  case moveToService = 3

  /// Whether the user picks something that is there, rather than a place for something of ours.
  public var picksItems: Bool { self == .import || self == .open }

  /// Under which name uses are recorded: who opens there also imports from there.
  var group: String { picksItems ? "import" : "export" }

  var declared: ProviderDeclaration.Mode {
    switch self {
    case .import: .import
    case .open: .open
    case .exportToService: .exportToService
    case .moveToService: .moveToService
    }
  }
}
