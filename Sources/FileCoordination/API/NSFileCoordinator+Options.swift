extension NSFileCoordinator {
  /// How an item is read; may be combined.
  ///
  /// Raw values are Apple's.
  ///
  /// Apple symbol: NSFileCoordinator.ReadingOptions.
  public struct ReadingOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Presenters are asked to let go, but not to save first.
    public static let withoutChanges = ReadingOptions(rawValue: 1)
    /// A symbolic link stands for what it points to: that is claimed, and the accessor gets its URL.
    public static let resolvesSymbolicLink = ReadingOptions(rawValue: 2)
    /// Metadata that is at hand is enough; contents that are elsewhere need not be fetched.
    ///
    /// Still waits for writers and presenters of this machine.
    public static let immediatelyAvailableMetadataOnly = ReadingOptions(rawValue: 4)
    /// The accessor gets a snapshot (for a directory a zip archive) and runs without the claim.
    ///
    /// The snapshot is removed when the accessor returns: open it, or move it away, inside.
    public static let forUploading = ReadingOptions(rawValue: 8)
  }

  /// How an item is written; at most one per item.
  ///
  /// Raw values are Apple's.
  ///
  /// No option means that contents or attributes change in place. Two at once count as the union of
  /// their effects.
  ///
  /// Apple symbol: NSFileCoordinator.WritingOptions.
  public struct WritingOptions: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The item will be deleted; waits for everything inside a directory too.
    public static let forDeleting = WritingOptions(rawValue: 1)
    /// The item will be moved; for a directory waits for everything inside too.
    public static let forMoving = WritingOptions(rawValue: 2)
    /// Presenters save before the accessor runs, because it will read what it changes.
    public static let forMerging = WritingOptions(rawValue: 4)
    /// Another item will take this one's place; the claim stays at the URL if the item moves away.
    public static let forReplacing = WritingOptions(rawValue: 8)
    /// Only metadata that does not depend on the contents changes.
    public static let contentIndependentMetadataOnly = WritingOptions(rawValue: 16)
  }
}
