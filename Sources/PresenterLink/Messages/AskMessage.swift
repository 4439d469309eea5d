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

/// One item of an access, as presenters must know it. All paths are canonical.
package struct AskedItem: Sendable, Hashable {
  package enum Access: Sendable, Hashable {
    case reading(ReadingOptions)
    case writing(WritingOptions)
  }
  /// Raw values are those of NSFileCoordinator.ReadingOptions.
  package struct ReadingOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }
    package static let withoutChanges = ReadingOptions(rawValue: 1)
    package static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    package static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    package static let forUploading = ReadingOptions(rawValue: 8)
  }
  /// Raw values are those of NSFileCoordinator.WritingOptions.
  package struct WritingOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }
    package static let forDeleting = WritingOptions(rawValue: 1)
    package static let forMoving = WritingOptions(rawValue: 2)
    package static let forMerging = WritingOptions(rawValue: 4)
    package static let forReplacing = WritingOptions(rawValue: 8)
    package static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }

  /// The item itself.
  package var item: FilePath
  /// What is locked: the item, or the outermost file package that holds it.
  package var claimed: FilePath
  /// Every file package that encloses or is the item, outermost first.
  package var packages: [FilePath]
  package var access: Access
  /// Whether the item is a directory (a file package too).
  package var isDirectory: Bool
  /// Whether this is `prepare`: whoever presents something inside is asked too.
  package var isPrepare: Bool

  package init(
    item: FilePath,
    claimed: FilePath? = nil,
    packages: [FilePath] = [],
    access: Access,
    isDirectory: Bool = false,
    isPrepare: Bool = false
  ) {
    self.item = item
    self.claimed = claimed ?? item
    self.packages = packages
    self.access = access
    self.isDirectory = isDirectory
    self.isPrepare = isPrepare
  }

  /// Whether the item is a file package itself.
  package var isPackage: Bool { packages.contains(item) }
}
