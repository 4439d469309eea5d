public import DocumentTypes
public import Foundation

/// What shows pickers and menus to a user: a terminal, a desktop's chooser, or a test's script.
///
/// Called from any executor, once at a time. What blocks belongs on a thread of the front end's own.
/// What it throws is what the picker fails with.
public protocol DocumentPickerFrontEnd: Sendable {
  /// Has the user choose; returns when the choice was made.
  func select(_ request: SelectionRequest) async throws -> Selection
  /// Has the user choose an entry; nil if none was chosen.
  func chooseFromMenu(title: String, entries: [MenuEntry]) async throws -> String?
  /// Puts away what is shown, if something is: a `select` that waits returns or throws.
  func dismiss() async
}

/// What the user is to choose.
public struct SelectionRequest: Sendable {
  /// What will become of it.
  public var mode: UIDocumentPickerMode
  /// Which types may be chosen; empty where files of the program are handed over.
  public var contentTypes: [UTType]
  /// The files that are handed over.
  public var sources: [URL]
  /// Whether several may be chosen.
  public var allowsMultipleSelection: Bool
  /// Whether names are shown whole.
  public var shouldShowFileExtensions: Bool
  /// The folder to begin in, for the provider that has one of its own to begin in: the file system.
  public var startDirectory: URL?
  /// Everybody whom the user can choose from.
  public var providers: [DocumentProviderDescriptor]
  /// Whom to begin with.
  public var initialProvider: ProviderID
  /// What a provider wants shown; throws what its process fails with.
  ///
  /// Ask once for each provider that is shown.
  public var page: @Sendable (ProviderID) async throws -> ProviderPage

  /// A request, as a front end's tests make one.
  public init(
    mode: UIDocumentPickerMode,
    contentTypes: [UTType] = [],
    sources: [URL] = [],
    allowsMultipleSelection: Bool = false,
    shouldShowFileExtensions: Bool = false,
    startDirectory: URL? = nil,
    providers: [DocumentProviderDescriptor],
    initialProvider: ProviderID,
    page: @escaping @Sendable (ProviderID) async throws -> ProviderPage
  ) {
    self.mode = mode
    self.contentTypes = contentTypes
    self.sources = sources
    self.allowsMultipleSelection = allowsMultipleSelection
    self.shouldShowFileExtensions = shouldShowFileExtensions
    self.startDirectory = startDirectory
    self.providers = providers
    self.initialProvider = initialProvider
    self.page = page
  }

  /// Whether a type is one of those that may be chosen.
  public func accepts(_ type: UTType) -> Bool {
    contentTypes.isEmpty || contentTypes.contains { type.conforms(to: $0) }
  }
}

/// What a provider wants shown.
public struct ProviderPage: Sendable, Codable, Hashable {
  /// The folder to choose from, or to choose a place in; nil: there is nothing to choose.
  public var folder: URL?
  /// Whether folders above that one may be shown: they may in the file system.
  public var mayLeaveFolder = false
  /// What the button says by which the user agrees; nil: there is none.
  public var confirmTitle: String?
  /// What the user should know.
  public var warning: String?

  /// A page that shows nothing.
  public init() {}
}

/// What the user chose.
public enum Selection: Sendable, Hashable {
  /// Items that are there.
  case items(ProviderID, [URL])
  /// Places for what is handed over: one for each source, in the same order.
  case destinations(ProviderID, [URL])
  /// The provider's button: it knows where things go.
  case confirmed(ProviderID)
  /// Nothing.
  case cancelled
}

/// A row of a menu.
public struct MenuEntry: Sendable, Hashable, Identifiable {
  /// What is given back if it is chosen.
  public var id: String
  /// What it says.
  public var title: String
  /// The icon theme's name of its picture.
  public var iconName: String?

  /// A row.
  public init(id: String, title: String, iconName: String? = nil) {
    self.id = id
    self.title = title
    self.iconName = iconName
  }
}
