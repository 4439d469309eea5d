import FileCoordination
import Foundation
import LinuxSystem
import ProviderLink

/// The conversations of one picker with the providers that were shown in it.
///
/// One for each file that is handed over: a provider is shown one original at a time.
actor ProviderPages {
  private let mode: UIDocumentPickerMode
  private let identifiers: [String]?
  private let sources: [URL]
  private var conversations: [ProviderID: [ProviderConversation]] = [:]

  init(mode: UIDocumentPickerMode, identifiers: [String]?, sources: [URL]) {
    self.mode = mode
    self.identifiers = identifiers
    self.sources = sources
  }

  /// What a provider wants shown.
  func page(of id: ProviderID, startingIn folder: URL?) async throws -> ProviderPage {
    guard id != .files else {
      var page = ProviderPage()
      page.folder = folder ?? FileManager.default.homeDirectoryForCurrentUser
      page.mayLeaveFolder = true
      return page
    }
    guard let declaration = declaration(of: id) else {
      throw DocumentPickerError.noProviderAvailable
    }
    var shown: ProviderPage?
    var begun: [ProviderConversation] = []
    for original in mode.picksItems ? [nil] : sources.map(Optional.some) {
      let (conversation, page) = try await ProviderConversation.begin(
        declaration,
        PickerRequest.Presentation(mode: mode, validTypes: identifiers, original: original)
      )
      begun.append(conversation)
      // A warning about any of them is one about all.
      if shown == nil || page.warning != nil { shown = page }
    }
    conversations[id] = begun
    return shown ?? ProviderPage()
  }

  /// What the provider hands over for an item that the user chose.
  func select(_ item: URL, of id: ProviderID) async throws -> URL? {
    if id == .files { return item }
    // The view controller is gone once it has handed something over: each item has its own.
    if conversations[id]?.isEmpty ?? true { _ = try await page(of: id, startingIn: nil) }
    return try await conversations[id]?.removeFirst().select(item)
  }

  /// What the provider hands over when the user has agreed: one URL for each original.
  func confirm(_ id: ProviderID) async throws -> [URL]? {
    if conversations[id] == nil { _ = try await page(of: id, startingIn: nil) }
    var urls: [URL] = []
    for conversation in conversations[id] ?? [] {
      guard let url = try await conversation.confirm() else { return nil }
      urls.append(url)
    }
    return urls
  }

  nonisolated func storage(of id: ProviderID) -> FilePath? {
    guard let declaration = declaration(of: id), let group = declaration.documentGroup else {
      return nil
    }
    return ProviderIdentity(declaration.identifier, group: group).storage
  }

  private nonisolated func declaration(of id: ProviderID) -> ProviderDeclaration? {
    ProviderCatalog.load().declaration(of: id.rawValue)
  }
}
