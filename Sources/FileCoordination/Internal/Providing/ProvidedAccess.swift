import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import ProviderLink

/// What the providers of an access's items have to do with it.
///
/// Before the accessor, with the claim held: contents are fetched. After it: placeholders of what was
/// written go, and once the claim is released the providers hear of the write. The connections are kept
/// until then, which is how a provider knows that an item is used.
final class ProvidedAccess: Sendable {
  private struct Item: Sendable {
    let path: FilePath
    let declaration: ProviderDeclaration
    let isWriting: Bool
    /// What stood there when the accessor began, if only a placeholder stood for it.
    let before: FileStatus?
    let hadPlaceholder: Bool
    /// Something for the accessor to delete, where only a placeholder is.
    let hasStub: Bool
  }
  private let items: [Item]
  private let connections: [ProviderConnection]

  private init(_ items: [Item], _ connections: [ProviderConnection]) {
    self.items = items
    self.connections = connections
  }

  /// Has the items' contents here; nil, without a system call, if no provider is concerned.
  ///
  /// Blocks for as long as their providers take.
  static func begin(
    _ items: [AccessItem],
    _ grants: [Claim.Grant],
    _ purpose: Purpose,
    _ wait: @escaping ProviderConnection.Wait
  ) throws(CoordinationError) -> ProvidedAccess? {
    var concerned: [Item] = []
    var connections: [ProviderConnection] = []
    for (item, grant) in zip(items, grants) {
      let path = grant.identity.item
      guard let declaration = provider(of: path, item), !Placeholder.isOne(path) else { continue }
      // A provider's own process works on its folder, in its own name, as on any other.
      if purpose.identifier == declaration.identifier,
        ProviderProcess.identifier == declaration.identifier
      {
        continue
      }
      do throws(ProviderFailure) {
        concerned.append(
          try begin(item, path, declaration, purpose, &connections, wait)
        )
      } catch {
        throw CoordinationError(provider: declaration, error, item)
      }
    }
    return concerned.isEmpty ? nil : ProvidedAccess(concerned, connections)
  }

  /// Whose the item is; of a provider's folder itself only what goes along with it matters.
  private static func provider(of path: FilePath, _ item: AccessItem) -> ProviderDeclaration? {
    ProviderBoard.provider(of: path)
      ?? (item.readingOptions.contains(.forUploading)
        ? ProviderBoard.provider(ofFolder: path) : nil)
  }

  /// Has all that a directory holds here.
  private static func provideAll(
    below path: FilePath,
    _ declaration: ProviderDeclaration,
    _ connections: inout [ProviderConnection],
    _ wait: @escaping ProviderConnection.Wait
  ) throws(ProviderFailure) {
    let items: [FilePath]
    do throws(SystemError) { items = try Placeholder.items(below: path) } catch {
      throw .unreachable(error)
    }
    guard !items.isEmpty else { return }
    let connection = try ProviderConnection.open(to: declaration, wait: wait)
    for item in items { try connection.ask(.provide(item), wait: wait) }
    connections.append(connection)
  }

  private static func begin(
    _ item: AccessItem,
    _ path: FilePath,
    _ declaration: ProviderDeclaration,
    _ purpose: Purpose,
    _ connections: inout [ProviderConnection],
    _ wait: @escaping ProviderConnection.Wait
  ) throws(ProviderFailure) -> Item {
    let hasPlaceholder = Placeholder.stands(for: path)
    var isWriting = item.isWriting && purpose.identifier != declaration.identifier
    var hasStub = false
    switch item.access {
    case .reading(let options):
      if options.contains(.immediatelyAvailableMetadataOnly) {
        if !hasPlaceholder, !Placeholder.exists(path) {
          let connection = try ProviderConnection.open(to: declaration, wait: wait)
          try connection.ask(.placeholder(path), wait: wait)
        }
      } else if hasPlaceholder || !Placeholder.exists(path) {
        let connection = try ProviderConnection.open(to: declaration, wait: wait)
        try connection.ask(.provide(path), wait: wait)
        connections.append(connection)
      } else if options.contains(.forUploading), isDirectory(path) {
        try provideAll(below: path, declaration, &connections, wait)
      }
    case .writing(let options):
      if options.contains(.contentIndependentMetadataOnly) {
        isWriting = false
      } else if hasPlaceholder {
        if options.isDisjoint(with: [.forDeleting, .forReplacing]) {
          let connection = try ProviderConnection.open(to: declaration, wait: wait)
          try connection.ask(.provide(path), wait: wait)
          connections.append(connection)
        } else {
          // A delivery whose reader died may still be under way: it must not write over the new.
          let connection = try ProviderConnection.openIfRunning(declaration, wait: wait)
          try connection?.ask(.settle(path), wait: wait)
          if options.contains(.forDeleting) { hasStub = makeStub(path) }
        }
      }
    }
    let stands = item.isWriting && hasPlaceholder && Placeholder.stands(for: path)
    return Item(
      path: path,
      declaration: declaration,
      isWriting: isWriting,
      before: stands ? try? FileStatus(of: path) : nil,  // nil says that nothing is there
      hadPlaceholder: stands,
      hasStub: hasStub
    )
  }

  private static func isDirectory(_ path: FilePath) -> Bool {
    // What cannot be looked at holds nothing that could be delivered.
    (try? FileStatus(of: path))?.kind == .directory
  }

  /// Puts an empty file where only a placeholder is; false if something is there.
  private static func makeStub(_ path: FilePath) -> Bool {
    // Without it the accessor finds nothing to delete, and says so.
    (try? Descriptor.open(path, [.writeOnly, .create, .exclusive]).number) != nil
  }

  /// The accessor has run; the claim is still held.
  func accessorEnded() {
    for item in items where item.hadPlaceholder {
      let now = try? FileStatus(of: item.path)  // nil says that nothing is there
      do throws(SystemError) {
        if item.hasStub {
          if now == nil {
            try Placeholder.remove(for: item.path)
          } else if now == item.before {
            try FileSystem.removeFile(item.path)
          } else {
            try Placeholder.remove(for: item.path)
          }
        } else if now != item.before {
          try Placeholder.remove(for: item.path)
        }
      } catch {
        Diagnostics.report("a placeholder of \(item.path) is left behind: \(error)")
      }
    }
  }

  /// The accessor did not run.
  func abandon() {
    for item in items where item.hasStub {
      // Still a placeholder, with or without it.
      try? FileSystem.removeFile(item.path)
    }
  }

  /// The claim is released: the providers hear of what was written.
  func tellProviders() {
    for item in items where item.isWriting {
      do throws(ProviderFailure) {
        let connection = try ProviderConnection.open(to: item.declaration)
        try connection.ask(.changed(item.path), until: .now + .seconds(5))
      } catch {
        let failure = CoordinationError(
          provider: item.declaration,
          error,
          AccessItem(url: item.path.url(), access: .writing([]))
        )
        Diagnostics.report("a provider did not hear of a write: \(failure.message)")
      }
    }
    withExtendedLifetime(connections) {}
  }
}
