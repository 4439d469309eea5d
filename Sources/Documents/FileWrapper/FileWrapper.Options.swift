extension FileWrapper {
  /// How an item is read.
  ///
  /// Apple symbol: FileWrapper.ReadingOptions.
  public struct ReadingOptions: OptionSet, Sendable {
    /// The bits, as Apple numbers them.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Everything is read now, so that nothing can fail later.
    ///
    /// Apple symbol: FileWrapper.ReadingOptions.immediate.
    public static let immediate = ReadingOptions(rawValue: 1 << 0)
    /// No file is mapped; none ever is here, because a mapped file that gets shorter kills its reader.
    ///
    /// Apple symbol: FileWrapper.ReadingOptions.withoutMapping.
    public static let withoutMapping = ReadingOptions(rawValue: 1 << 1)
  }

  /// How an item is written.
  ///
  /// Apple symbol: FileWrapper.WritingOptions.
  public struct WritingOptions: OptionSet, Sendable {
    /// The bits; the low ones as Apple numbers them.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// What is there is replaced in one step, or left as it is.
    ///
    /// Apple symbol: FileWrapper.WritingOptions.atomic.
    public static let atomic = WritingOptions(rawValue: 1 << 0)
    /// Once written, all wrappers of the tree take the names they were written under.
    ///
    /// What makes the next writing fast: see ``FileWrapper/write(to:options:originalContentsURL:)``.
    ///
    /// Apple symbol: FileWrapper.WritingOptions.withNameUpdating.
    public static let withNameUpdating = WritingOptions(rawValue: 1 << 1)
    /// Ours: every file and directory that was written is on the device before the call returns.
    ///
    /// Files that were linked are not touched: they are there already.
    public static let synchronized = WritingOptions(rawValue: 1 << 16)
    /// A directory is made for its owner alone, and whoever asked gives it its permissions: nobody
    /// looks into what takes the place of a private package before it is as private.
    static let leavingRootPrivate = WritingOptions(rawValue: 1 << 17)
  }

  /// Ours: what a child gets for a key when its preferred name is taken.
  public enum DuplicateNaming: Sendable {
    /// `1__#$!@%!#__name`, as Apple's packages have it; the default.
    case marked
    /// `name 2.ext`, which people can read.
    case readable
  }
}
