import FileCoordination
public import Foundation
import LinuxSystem
import ProviderLink

/// Names an item of a provider's folder, also after it was edited, moved or renamed.
///
/// Apple symbol: NSFileProviderItemIdentifier.
public typealias NSFileProviderItemIdentifier = String

/// The part of a provider that nobody sees: it puts contents where others want to read them.
///
/// Its methods are called in the provider's own process, several at once, on threads that may block.
/// Nothing waits for them longer than their users do: who cancels, or dies, has them finish in vain.
/// If the process dies in one of them, whoever waits gets an error, and what stands half-written in the
/// folder counts as a placeholder still.
///
/// Apple symbol: NSFileProviderExtension, without what came with iOS 11.
open class NSFileProviderExtension: NSObject {
  private let identity: ProviderIdentity

  /// The extension of the provider whose process this is, or of this program where it is none.
  public override init() {
    identity = .current
    super.init()
  }

  /// Ours: the extension of a provider that is not declared.
  public init(providerIdentifier: String, documentGroup: String) {
    identity = ProviderIdentity(providerIdentifier, group: documentGroup)
    super.init()
  }

  // MARK: placeholders

  /// Where the placeholder of an item lies; that of a placeholder is itself.
  ///
  /// Apple symbol: NSFileProviderExtension.placeholderURL(for:).
  public final class func placeholderURL(for url: URL) -> URL {
    guard let path = FilePath(url) else { return url }
    return Placeholder.path(of: path).url()
  }

  /// Writes a placeholder, in one step; one that is there is replaced.
  ///
  /// Only call it for items of the provider's folder. Blocks for a few system calls.
  /// - Parameters:
  ///   - placeholderURL: What ``placeholderURL(for:)`` gives.
  ///   - metadata: What is known of the item: `nameKey`, `fileSizeKey`, `isPackageKey`; what is no
  ///     property list is left out.
  /// - Throws: what writing a file throws, and `CocoaError` 514 for a URL that is no placeholder's.
  ///
  /// Apple symbol: NSFileProviderExtension.writePlaceholder(at:withMetadata:).
  public final class func writePlaceholder(
    at placeholderURL: URL,
    withMetadata metadata: [URLResourceKey: Any]
  ) throws {
    guard let path = FilePath(placeholderURL), Placeholder.isOne(path) else {
      throw CocoaError(.fileWriteInvalidFileName, userInfo: [NSURLErrorKey: placeholderURL])
    }
    try PlaceholderFile(metadata).write(to: path)
  }

  /// Ours: what a placeholder says of its item; nothing where there is none, or it is damaged.
  ///
  /// Whoever wrote the placeholder may have written anything: of other types than a property list has
  /// is nothing in it. Blocks for a few system calls.
  public final class func metadata(ofPlaceholderAt placeholderURL: URL) -> [URLResourceKey: Any] {
    FilePath(placeholderURL).map(PlaceholderFile.metadata(at:)) ?? [:]
  }

  // MARK: who and where

  /// The identifier of the provider: the purpose of its coordinators.
  ///
  /// Apple symbol: NSFileProviderExtension.providerIdentifier.
  public final var providerIdentifier: String { identity.identifier }

  /// The folder that the provider shares with others.
  ///
  /// Apple symbol: NSFileProviderExtension.documentStorageURL.
  public final var documentStorageURL: URL { identity.storage.url(isDirectory: true) }

  /// What names the item at a URL: its path in the folder; nil for one that is not in it.
  ///
  /// Apple symbol: NSFileProviderExtension.persistentIdentifierForItem(at:).
  open func persistentIdentifierForItem(at url: URL) -> NSFileProviderItemIdentifier? {
    guard let path = FilePath(url) else { return nil }
    return identity.relativePath(of: path)
  }

  /// Where the item of that name lies; nil for a name that leads out of the folder.
  ///
  /// Apple symbol: NSFileProviderExtension.urlForItem(withPersistentIdentifier:).
  open func urlForItem(withPersistentIdentifier identifier: NSFileProviderItemIdentifier) -> URL? {
    identity.path(of: identifier)?.url()
  }

  // MARK: what a provider does

  /// Writes a placeholder of an item, then completes; override it, without calling this one.
  ///
  /// An error that it completes with is that of the access that needs the placeholder.
  ///
  /// Apple symbol: NSFileProviderExtension.providePlaceholder(at:completionHandler:).
  open func providePlaceholder(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    do {
      try Self.writePlaceholder(
        at: Self.placeholderURL(for: url),
        withMetadata: [.nameKey: url.lastPathComponent]
      )
      completionHandler(nil)
    } catch {
      completionHandler(error)
    }
  }

  /// Puts the contents of an item at its URL, then completes; override it, without calling this one.
  ///
  /// No coordination is needed: nobody reads the item until this has completed. Called once however
  /// many wait for the item. An error that it completes with is that of their accesses. Completing
  /// without an error while nothing is there is an error as well.
  ///
  /// Apple symbol: NSFileProviderExtension.startProvidingItem(at:completionHandler:).
  open func startProvidingItem(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    completionHandler(
      CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url])
    )
  }

  /// A coordinated write changed an item; override it, without calling this one.
  ///
  /// Not called for accesses whose purpose is ``providerIdentifier``.
  ///
  /// Apple symbol: NSFileProviderExtension.itemChanged(at:).
  open func itemChanged(at url: URL) {}

  /// Nobody uses an item any more: its contents may go; override it, without calling this one.
  ///
  /// Nobody reads the item until this has returned. A placeholder remains, whatever it does.
  ///
  /// Apple symbol: NSFileProviderExtension.stopProvidingItem(at:).
  open func stopProvidingItem(at url: URL) {}
}
