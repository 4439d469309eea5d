public import DocumentTypes
public import Foundation
import FileCoordination
import ProviderLink

/// Which provider: its declaration's `identifier`.
public struct ProviderID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
  /// The identifier.
  public let rawValue: String
  /// A provider of that name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The file system: everything that is no provider's.
  public static let files = ProviderID(rawValue: "files")
  /// The identifier.
  public var description: String { rawValue }
}

/// A provider as a front end shows it.
public struct DocumentProviderDescriptor: Sendable, Hashable, Identifiable {
  /// Which it is.
  public let id: ProviderID
  /// What it is called.
  public let displayName: String
  /// The icon theme's name of its picture.
  public let iconName: String?
  /// What can be done with it.
  public let modes: Set<UIDocumentPickerMode>
  /// What it has and takes.
  public let supportedTypes: [UTType]
  /// The folder that it shares with others, which need not be there yet; nil if it shares none.
  public var documentStorageURL: URL? { declaration?.storage?.url(isDirectory: true) }
  let declaration: ProviderDeclaration?

  init(_ declaration: ProviderDeclaration) {
    id = ProviderID(rawValue: declaration.identifier)
    displayName = declaration.displayName
    iconName = declaration.icon
    modes = Set(UIDocumentPickerMode.allCases.filter { declaration.modes.contains($0.declared) })
    supportedTypes = declaration.supportedTypes.map { UTType($0) ?? UTType(importedAs: $0) }
    self.declaration = declaration
  }

  private init() {
    id = .files
    displayName = "Files"
    iconName = "folder"
    modes = Set(UIDocumentPickerMode.allCases)
    supportedTypes = [.item, .content]
    declaration = nil
  }
  static let files = DocumentProviderDescriptor()

  /// Whether it can be used in a mode with one of these types.
  ///
  /// It is as soon as one of its types contains one of these, or is contained in it.
  public func offers(mode: UIDocumentPickerMode, anyOf types: [UTType]) -> Bool {
    guard modes.contains(mode) else { return false }
    return types.isEmpty
      || types.contains { wanted in
        supportedTypes.contains { wanted.conforms(to: $0) || $0.conforms(to: wanted) }
      }
  }
}
