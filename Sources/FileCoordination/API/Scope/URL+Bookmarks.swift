public import Foundation
import LinuxSystem

extension URL {
  /// Apple symbol: URL.BookmarkCreationOptions.
  public typealias BookmarkCreationOptions = NSURL.BookmarkCreationOptions
  /// Apple symbol: URL.BookmarkResolutionOptions.
  public typealias BookmarkResolutionOptions = NSURL.BookmarkResolutionOptions

  /// Data that finds this item again, also after it was moved within its directory, or renamed, or
  /// its directory was.
  ///
  /// Blocks for a few system calls. A link is marked itself. In a format of this module's own.
  ///
  /// - Parameters:
  ///   - options: How.
  ///   - keys: What to keep readable without the item, for
  ///     `resourceValues(forKeys:fromBookmarkData:)`; the path and the name always are.
  ///   - url: With security scope, the document that the bookmark is for; nil: this application.
  /// - Returns: the bookmark.
  /// - Throws: `CocoaError` 260 for a missing item, 257 without permission, 256 for security scope
  ///   that cannot be given.
  ///
  /// Apple symbol: URL.bookmarkData(options:includingResourceValuesForKeys:relativeTo:).
  public func bookmarkData(
    options: BookmarkCreationOptions = [],
    includingResourceValuesForKeys keys: Set<URLResourceKey>? = nil,
    relativeTo url: URL? = nil
  ) throws -> Data {
    try BookmarkMaker(options: options, base: url).data(for: self, keys: keys ?? [])
  }

  /// The item that a bookmark was made of, where it is now.
  ///
  /// Blocks for as long as looking at directories takes. A plain bookmark's access is begun: call
  /// `stopAccessingSecurityScopedResource()` once.
  ///
  /// - Parameters:
  ///   - data: What `bookmarkData(options:includingResourceValuesForKeys:relativeTo:)` gave.
  ///   - options: How.
  ///   - url: The document that the bookmark is for.
  ///   - bookmarkDataIsStale: Set to whether the bookmark should be made anew.
  /// - Throws: `CocoaError` 4 if the item is not found, 259 for damaged data and for the bookmark of
  ///   another application, 256 where the key to it is missing.
  ///
  /// Apple symbol: URL.init(resolvingBookmarkData:options:relativeTo:bookmarkDataIsStale:).
  public init(
    resolvingBookmarkData data: Data,
    options: BookmarkResolutionOptions = [],
    relativeTo url: URL? = nil,
    bookmarkDataIsStale: inout Bool
  ) throws {
    let found = try BookmarkResolver(options: options, base: url).resolve(data)
    bookmarkDataIsStale = found.isStale
    self = found.url
  }

  /// The item that a bookmark file, or a link, leads to; the URL itself for any other item.
  ///
  /// - Throws: as the bookmark's resolution.
  ///
  /// Apple symbol: URL.init(resolvingAliasFileAt:options:).
  public init(resolvingAliasFileAt url: URL, options: BookmarkResolutionOptions = []) throws {
    if let data = try BookmarkFile.readIfBookmark(url) {
      let found = try BookmarkResolver(options: options, base: nil).resolve(data)
      self = found.url
    } else {
      self = url.resolvingSymlinksInPath()
    }
  }

  /// What a bookmark says of its item, without a look at the disk; nil for what is no bookmark.
  ///
  /// Apple symbol: URL.resourceValues(forKeys:fromBookmarkData:).
  public static func resourceValues(
    forKeys keys: Set<URLResourceKey>,
    fromBookmarkData data: Data
  ) -> URLResourceValues? {
    // Apple's answer to damaged data is nil.
    guard let bookmark = try? Bookmark(decoding: data) else { return nil }
    return bookmark.resourceValues(forKeys: keys)
  }

  /// Writes a bookmark as a file, in one step.
  ///
  /// - Throws: `CocoaError` 512 for data made without `suitableForBookmarkFile`, and what writing a
  ///   file throws.
  ///
  /// Apple symbol: URL.writeBookmarkData(_:to:).
  public static func writeBookmarkData(_ data: Data, to url: URL) throws {
    try BookmarkFile.write(data, to: url)
  }

  /// The bookmark in a file.
  ///
  /// - Throws: `CocoaError` 259 for what is none, and what reading a file throws.
  ///
  /// Apple symbol: URL.bookmarkData(withContentsOf:).
  public static func bookmarkData(withContentsOf url: URL) throws -> Data {
    guard let data = try BookmarkFile.readIfBookmark(url) else {
      throw BookmarkFailure.damaged.error(url, "“\(url.lastPathComponent)” is not a bookmark file")
    }
    return data
  }
}

extension NSURL {
  /// As `URL.bookmarkData(options:includingResourceValuesForKeys:relativeTo:)`.
  ///
  /// Apple symbol: NSURL.bookmarkData(options:includingResourceValuesForKeys:relativeTo:).
  public func bookmarkData(
    options: BookmarkCreationOptions = [],
    includingResourceValuesForKeys keys: [URLResourceKey]?,
    relativeTo relativeURL: URL?
  ) throws -> Data {
    try (self as URL).bookmarkData(
      options: options,
      includingResourceValuesForKeys: keys.map(Set.init),
      relativeTo: relativeURL
    )
  }

  /// As `URL.init(resolvingBookmarkData:options:relativeTo:bookmarkDataIsStale:)`.
  ///
  /// Apple symbol: NSURL.init(resolvingBookmarkData:options:relativeTo:bookmarkDataIsStale:).
  public convenience init(
    resolvingBookmarkData bookmarkData: Data,
    options: BookmarkResolutionOptions = [],
    relativeTo relativeURL: URL?,
    bookmarkDataIsStale isStale: inout ObjCBool
  ) throws {
    let found = try BookmarkResolver(options: options, base: relativeURL).resolve(bookmarkData)
    isStale = ObjCBool(found.isStale)
    self.init(fileURLWithPath: found.url.path)
  }

  /// As `URL.writeBookmarkData(_:to:)`; the options mean nothing.
  ///
  /// Apple symbol: NSURL.writeBookmarkData(_:to:options:).
  public class func writeBookmarkData(
    _ bookmarkData: Data,
    to bookmarkFileURL: URL,
    options: BookmarkFileCreationOptions
  ) throws {
    try BookmarkFile.write(bookmarkData, to: bookmarkFileURL)
  }

  /// As `URL.bookmarkData(withContentsOf:)`.
  ///
  /// Apple symbol: NSURL.bookmarkData(withContentsOf:).
  public class func bookmarkData(withContentsOf bookmarkFileURL: URL) throws -> Data {
    try URL.bookmarkData(withContentsOf: bookmarkFileURL)
  }

  /// What a bookmark says of its item; nil for what is no bookmark.
  ///
  /// Apple symbol: NSURL.resourceValues(forKeys:fromBookmarkData:).
  public class func resourceValues(
    forKeys keys: [URLResourceKey],
    fromBookmarkData bookmarkData: Data
  ) -> [URLResourceKey: Any]? {
    // Apple's answer to damaged data is nil.
    (try? Bookmark(decoding: bookmarkData))?.allValues(forKeys: keys)
  }
}
