public import Foundation

extension NSURL {
  /// How a bookmark is made; the bits are Apple's.
  ///
  /// All are available here.
  ///
  /// Apple symbol: NSURL.BookmarkCreationOptions.
  public struct BookmarkCreationOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Without effect.
    public static let preferFileIDResolution = BookmarkCreationOptions(rawValue: 1 << 8)
    /// With less in it: what finds an item after its directory was renamed is left out.
    public static let minimalBookmark = BookmarkCreationOptions(rawValue: 1 << 9)
    /// What `URL.writeBookmarkData(_:to:)` takes.
    public static let suitableForBookmarkFile = BookmarkCreationOptions(rawValue: 1 << 10)
    /// For this application only, or for who has the document: the right of access is in it.
    public static let withSecurityScope = BookmarkCreationOptions(rawValue: 1 << 11)
    /// With the former: for reading only.
    ///
    /// Noted, but not enforced on ordinary processes.
    public static let securityScopeAllowOnlyReadAccess = BookmarkCreationOptions(rawValue: 1 << 12)
    /// Without any right of access.
    public static let withoutImplicitSecurityScope = BookmarkCreationOptions(rawValue: 1 << 29)
  }

  /// How a bookmark is resolved; the bits are Apple's.
  ///
  /// All are available here.
  ///
  /// Apple symbol: NSURL.BookmarkResolutionOptions.
  public struct BookmarkResolutionOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Options with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Nobody is asked anything; nobody ever is.
    public static let withoutUI = BookmarkResolutionOptions(rawValue: 1 << 8)
    /// Nothing is mounted; nothing ever is.
    public static let withoutMounting = BookmarkResolutionOptions(rawValue: 1 << 9)
    /// The right of access in the bookmark counts; start it on the URL.
    public static let withSecurityScope = BookmarkResolutionOptions(rawValue: 1 << 10)
    /// The access that a plain bookmark carries is not started.
    public static let withoutImplicitStartAccessing = BookmarkResolutionOptions(rawValue: 1 << 15)
  }

  /// Options that nothing is defined for.
  ///
  /// Apple symbol: NSURL.BookmarkFileCreationOptions.
  public typealias BookmarkFileCreationOptions = Int
}
