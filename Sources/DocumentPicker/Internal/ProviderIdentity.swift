import CoordinationRuntime
import FileCoordination
import LinuxSystem
import ProviderLink

/// Who a provider's classes work for.
struct ProviderIdentity: Sendable {
  let identifier: String
  /// Its folder, with links resolved as far as it exists.
  let storage: FilePath

  init(_ identifier: String, group: String) {
    self.identifier = identifier
    let group = ProviderDeclaration.isName(group) ? group : "file-provider"
    let storage = ProviderDirectories.storage(ofGroup: group) ?? FilePath("/nonexistent")
    // What cannot be resolved stays as it is written, and fails when it is used.
    self.storage = (try? ItemResolver.shared.canonical(storage, followingLink: true)) ?? storage
  }

  /// The provider that this process was started as; else one with the name of the program.
  static var current: ProviderIdentity {
    if let declaration = currentDeclaration {
      return ProviderIdentity(
        declaration.identifier,
        group: declaration.documentGroup ?? declaration.identifier
      )
    }
    let name = FileScope.applicationIdentifier
    return ProviderIdentity(name, group: name)
  }

  /// What the provider says of itself that this process was started as.
  static var currentDeclaration: ProviderDeclaration? {
    ProviderProcess.identifier.flatMap { ProviderCatalog.load().declaration(of: $0) }
  }

  /// The path of an item in the folder; nil for one that is not in it.
  func relativePath(of path: FilePath) -> String? {
    // What cannot be resolved is not in it.
    guard let item = try? ItemResolver.shared.canonical(path, followingLink: false),
      item.isInside(storage)
    else { return nil }
    return FilePath(bytes: item.bytes.dropFirst(storage.count).drop { $0 == .slash }).string
  }

  /// The item of a path in the folder; nil where it leads out of it.
  func path(of identifier: String) -> FilePath? {
    let parts = identifier.utf8.split(separator: .slash, omittingEmptySubsequences: false)
    guard !identifier.utf8.contains(0),
      !parts.contains(where: {
        $0.isEmpty || $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8)
      })
    else { return nil }
    let path = parts.reduce(storage) { $0.appending($1) }
    return relativePath(of: path) == identifier ? path : nil
  }
}
