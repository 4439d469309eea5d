import CoordinationRuntime
import Foundation
import LinuxSystem

/// Makes bookmarks.
struct BookmarkMaker {
  let options: NSURL.BookmarkCreationOptions
  /// The document that it is for.
  let base: URL?

  func data(for url: URL, keys: Set<URLResourceKey>) throws -> Data {
    guard url.isFileURL else {
      var bookmark = Bookmark()
      bookmark.flags = .notAFile
      bookmark.text = url.absoluteString
      return try bookmark.encode(key: [])
    }
    if options.contains(.withSecurityScope),
      !options.isDisjoint(with: [.minimalBookmark, .suitableForBookmarkFile])
    {
      throw BookmarkFailure.scope.error(
        url,
        "a bookmark with security scope can be neither minimal nor suitable for a file"
      )
    }
    var bookmark: Bookmark
    do throws(SystemError) { bookmark = try look(at: url) } catch {
      throw BookmarkFailure.making(url, error)
    }
    for key in keys {
      // A value that cannot be had is not kept.
      let value = (try? url.resourceValues(forKeys: [key]))?.allValues[key]
      bookmark.values[key.rawValue] = BookmarkValue(value)
    }
    let key = try key(for: &bookmark, url)
    return try bookmark.encode(key: key)
  }

  private func key(for bookmark: inout Bookmark, _ url: URL) throws -> [UInt8] {
    guard options.contains(.withSecurityScope) else { return [] }
    guard let base else {
      bookmark.flags.insert(.appScope)
      return try BookmarkKeys.application(bookmark.application)
    }
    guard !bookmark.flags.contains(.isDirectory) else {
      throw BookmarkFailure.scope.error(url, "a bookmark for a document is of a file, not a folder")
    }
    bookmark.flags.insert(.documentScope)
    return try BookmarkKeys.document(base, makingOne: true)
  }

  private func look(at url: URL) throws(SystemError) -> Bookmark {
    var bookmark = Bookmark()
    guard let path = FilePath(url)?.lexicallyNormalized else { return bookmark }
    let item = try FileFacts(of: path)
    bookmark.path = path
    bookmark.host = PortalPaths.hostPath(of: path)
    // What the portal shows has numbers of the portal's own, which change.
    let file = if let host = bookmark.host { try FileFacts(of: host) } else { item }
    bookmark.identity = file.identity
    bookmark.size = item.size
    bookmark.application = FileScope.applicationIdentifier
    bookmark.flags = flags
    if item.kind == .directory { bookmark.flags.insert(.isDirectory) }
    var places: [Bookmark.Place] = []
    let limit = options.contains(.minimalBookmark) ? 1 : 16
    var above = (bookmark.host ?? path).parent
    // All but the root, innermost first.
    while let directory = above, places.count < limit, directory.count > 1 {
      places.append(
        Bookmark.Place(path: directory, identity: try FileIdentity(of: directory, above: file))
      )
      above = directory.parent
    }
    bookmark.places = .known(places)
    return bookmark
  }

  private var flags: Bookmark.Flags {
    var flags: Bookmark.Flags = []
    if options.contains(.minimalBookmark) { flags.insert(.minimal) }
    if options.contains(.suitableForBookmarkFile) { flags.insert(.forFiles) }
    if options.contains(.securityScopeAllowOnlyReadAccess) { flags.insert(.readOnly) }
    if options.contains(.withoutImplicitSecurityScope) { flags.insert(.withoutScope) }
    return flags
  }
}
