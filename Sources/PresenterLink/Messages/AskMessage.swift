package import CoordinationRuntime
package import LinuxSystem

/// A claim asks the presenters of a process to make room.
package struct AskMessage: Sendable, Hashable {
  /// Who asks.
  package var claim: ClaimID
  package var items: [AskedItem]
  /// The claim's purpose identifier, for people.
  package var purpose: String
  /// The claims that the asker's own presenter is answering: whom they have asked is not asked again.
  package var onBehalfOf: [ClaimID]

  package init(
    claim: ClaimID,
    items: [AskedItem],
    purpose: String = "",
    onBehalfOf: [ClaimID] = []
  ) {
    self.claim = claim
    self.items = items
    self.purpose = purpose
    self.onBehalfOf = onBehalfOf
  }
}

/// One item of an access, as presenters must know it.
///
/// All paths are canonical.
package struct AskedItem: Sendable, Hashable {
  package enum Access: Sendable, Hashable {
    /// With the raw value of NSFileCoordinator.ReadingOptions.
    case reading(UInt)
    /// With the raw value of NSFileCoordinator.WritingOptions.
    case writing(UInt)
  }
  /// The item itself.
  package var item: FilePath
  /// Every file package that encloses or is the item, outermost first.
  package var packages: [FilePath]
  package var access: Access
  /// Whether the item is a directory (a file package too).
  package var isDirectory: Bool
  /// Whether the item is a file package itself.
  package var isPackage: Bool
  /// Whether this is `prepare`: whoever presents something inside is asked too.
  package var isPrepare: Bool

  package init(
    item: FilePath,
    packages: [FilePath] = [],
    access: Access,
    isDirectory: Bool = false,
    isPackage: Bool = false,
    isPrepare: Bool = false
  ) {
    self.item = item
    self.packages = packages
    self.access = access
    self.isDirectory = isDirectory
    self.isPackage = isPackage
    self.isPrepare = isPrepare
  }
}
