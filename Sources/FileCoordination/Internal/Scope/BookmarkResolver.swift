import CoordinationRuntime
import Foundation
import LinuxSystem

/// Finds the item of a bookmark.
struct BookmarkResolver {
  struct Found {
    let url: URL
    /// Whether the bookmark should be made anew.
    let isStale: Bool
  }
  let options: NSURL.BookmarkResolutionOptions
  /// The document that it is for.
  let base: URL?

  func resolve(_ data: Data) throws -> Found {
    let bytes = Array(data)
    let bookmark = try Bookmark(decoding: bytes)
    if bookmark.flags.contains(.notAFile) {
      guard let url = bookmark.text.flatMap(URL.init(string:)) else { throw Bookmark.damaged }
      return Found(url: url, isStale: false)
    }
    try prove(bookmark, bytes)
    guard let found = try find(bookmark) else {
      let url = bookmark.path.url()
      throw BookmarkFailure.notFound.error(
        url,
        "the item of the bookmark, last seen at “\(bookmark.path)”, is gone or was moved out of reach"
      )
    }
    let url = found.path.url(isDirectory: found.isDirectory)
    grant(bookmark, url, found.path)
    return Found(url: url, isStale: found.isStale)
  }

  private func find(_ bookmark: Bookmark) throws -> BookmarkSearch.Found? {
    guard let host = bookmark.host else { return BookmarkSearch(bookmark).find() }
    var onHost = bookmark
    onHost.path = host
    // Whatever keeps it from being looked at, it is not shown.
    let shown = try? FileStatus(of: bookmark.path).kind
    func found(_ path: FilePath, isStale: Bool) -> BookmarkSearch.Found {
      BookmarkSearch.Found(path: path, isDirectory: shown == .directory, isStale: isStale)
    }
    guard let item = BookmarkSearch(onHost).find() else {
      // A program that sees nothing of the host can only go by what is shown to it, and by what its
      // broker finds.
      if shown != nil { return found(bookmark.path, isStale: false) }
      guard let path = try? BrokerConnection.shared?.regain(host) else { return nil }
      return BookmarkSearch.Found(
        path: path,
        isDirectory: bookmark.flags.contains(.isDirectory),
        isStale: true
      )
    }
    if shown != nil, PortalPaths.hostPath(of: bookmark.path) == item.path {
      return found(bookmark.path, isStale: item.isStale)
    }
    guard let broker = BrokerConnection.shared else {
      return BookmarkSearch.Found(path: item.path, isDirectory: item.isDirectory, isStale: true)
    }
    do {
      return BookmarkSearch.Found(
        path: try broker.regain(item.path),
        isDirectory: item.isDirectory,
        isStale: true
      )
    } catch {
      throw BookmarkFailure.noPermission.error(
        item.path.url(),
        "the item of the bookmark is at “\(item.path)”, which is not given to this program: \(error)"
      )
    }
  }

  /// Whether it is what it says, and for whom it says it is.
  private func prove(_ bookmark: Bookmark, _ bytes: [UInt8]) throws {
    guard bookmark.isScoped else {
      if options.contains(.withSecurityScope) {
        throw BookmarkFailure.damaged.error(
          bookmark.path.url(),
          "the bookmark has no security scope to use"
        )
      }
      return
    }
    let url = bookmark.path.url()
    let key: [UInt8]
    if bookmark.flags.contains(.appScope) {
      let own = FileScope.applicationIdentifier
      guard bookmark.application == own else {
        throw BookmarkFailure.damaged.error(
          url,
          "the bookmark belongs to the application “\(bookmark.application)”, not to “\(own)”"
        )
      }
      key = try BookmarkKeys.application(own)
    } else {
      guard let base else {
        throw BookmarkFailure.damaged.error(
          url,
          "the bookmark is for a document, which must be given to resolve it"
        )
      }
      key = try BookmarkKeys.document(base, makingOne: false)
    }
    guard Bookmark.isGenuine(bytes, key: key) else { throw Bookmark.damaged }
  }

  private func grant(_ bookmark: Bookmark, _ url: URL, _ path: FilePath) {
    if bookmark.isScoped {
      if options.contains(.withSecurityScope) { ScopeRegistry.shared.grant(path) }
      return
    }
    guard !bookmark.flags.contains(.withoutScope) else { return }
    ScopeRegistry.shared.grant(path)
    if !options.contains(.withoutImplicitStartAccessing) { _ = ScopeRegistry.shared.start(url) }
  }
}
