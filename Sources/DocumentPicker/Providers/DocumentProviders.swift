public import DocumentTypes
public import Foundation
import LinuxSystem
import ProviderLink

/// The providers that are declared on this machine, and what the user chose of them.
///
/// Reads and writes small files; any thread, any process.
public enum DocumentProviders {
  /// A provider, and whether the user has switched it on.
  public struct Entry: Sendable, Hashable {
    /// What it is.
    public let provider: DocumentProviderDescriptor
    /// Whether it is shown.
    public let isEnabled: Bool
    /// The file that declares it; nil for the file system.
    public let file: URL?
  }

  /// All of them, the file system first, the others by name.
  public static var all: [Entry] {
    let disabled = ProviderChoices.load().disabled
    let declared = ProviderCatalog.load().declarations.map(DocumentProviderDescriptor.init)
      .sorted { ($0.displayName, $0.id.rawValue) < ($1.displayName, $1.id.rawValue) }
    return ([.files] + declared).map { provider in
      Entry(
        provider: provider,
        isEnabled: !disabled.contains(provider.id.rawValue),
        file: provider.declaration.map { URL(filePath: $0.file.description) }
      )
    }
  }

  /// What is wrong with declarations that count for nothing, a sentence each.
  public static var problems: [String] { ProviderCatalog.load().problems.map(\.description) }

  /// Those that are switched on and can be used in a mode with one of these types.
  public static func providers(
    mode: UIDocumentPickerMode,
    types: [UTType]
  ) -> [DocumentProviderDescriptor] {
    all.filter { $0.isEnabled && $0.provider.offers(mode: mode, anyOf: types) }.map(\.provider)
  }

  /// Switches a provider on or off, for all programs of the user.
  ///
  /// - Throws: ``DocumentPickerError/noProviderAvailable`` for one that is not declared, and what
  ///   writing a file throws.
  public static func setEnabled(_ isEnabled: Bool, _ id: ProviderID) throws {
    guard all.contains(where: { $0.provider.id == id }) else {
      throw DocumentPickerError.noProviderAvailable
    }
    try ProviderChoices.change { choices in
      if isEnabled {
        choices.disabled.remove(id.rawValue)
      } else {
        choices.disabled.insert(id.rawValue)
      }
    }
    ProviderBoard.noteChange()
  }

  /// Whom a picker begins with: who of these was used last for the like, else the first.
  public static func mostRecentlyUsed(
    mode: UIDocumentPickerMode,
    among providers: [DocumentProviderDescriptor]
  ) -> ProviderID? {
    let used = ProviderChoices.load().used[mode.group] ?? []
    return used.map(ProviderID.init).first { id in providers.contains { $0.id == id } }
      ?? providers.first?.id
  }

  /// Notes that a provider was used, and where.
  ///
  /// - Throws: what writing a file throws.
  public static func noteUse(
    of id: ProviderID,
    mode: UIDocumentPickerMode,
    folder: URL?
  ) throws {
    try ProviderChoices.change { choices in
      choices.noteUse(of: id.rawValue, group: mode.group, folder: folder?.absoluteString)
    }
  }

  /// The folder of the last pick from a provider.
  public static func lastFolder(of id: ProviderID) -> URL? {
    ProviderChoices.load().folders[id.rawValue].flatMap { URL(string: $0) }
  }

  static func descriptor(of id: ProviderID) -> DocumentProviderDescriptor? {
    if id == .files { return .files }
    return ProviderCatalog.load().declaration(of: id.rawValue).map(DocumentProviderDescriptor.init)
  }
}
