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
    let bookmark = try Bookmark(decoding: data)
    if bookmark.flags.contains(.notAFile) {
      guard let url = bookmark.text.flatMap(URL.init(string:)) else { throw Bookmark.damaged }
      return Found(url: url, isStale: false)
    }
    try prove(bookmark, data)
    guard let (path, isStale) = try find(bookmark) else {
      let url = bookmark.path.url()
      throw BookmarkFailure.notFound.error(
        url,
        "the item of the bookmark, last seen at “\(bookmark.path)”, is gone or was moved out of reach"
      )
    }
    let url = path.urlOnDisk
    grant(bookmark, url)
    return Found(url: url, isStale: isStale)
  }

  private func find(_ bookmark: Bookmark) throws -> (FilePath, isStale: Bool)? {
    guard let host = bookmark.host else { return BookmarkSearch(bookmark).find() }
    var onHost = bookmark
    onHost.path = host
    // Whatever keeps it from being looked at, it is not shown.
    let isShown = (try? FileStatus(of: bookmark.path)) != nil
    guard let (found, isStale) = BookmarkSearch(onHost).find() else {
      // A program that sees nothing of the host can only go by what is shown to it.
      return isShown ? (bookmark.path, false) : nil
    }
    if isShown, PortalPaths.hostPath(of: bookmark.path) == found {
      return (bookmark.path, isStale)
    }
    guard let broker = BrokerConnection.shared else { return (found, true) }
    do {
      return (try broker.regain(found), true)
    } catch {
      throw BookmarkFailure.noPermission.error(
        found.url(),
        "the item of the bookmark is at “\(found)”, which is not given to this program: \(error)"
      )
    }
  }

  /// Whether it is what it says, and for whom it says it is.
  private func prove(_ bookmark: Bookmark, _ data: Data) throws {
    let url = bookmark.path.url()
    guard bookmark.isScoped else {
      if options.contains(.withSecurityScope) {
        throw BookmarkFailure.damaged.error(url, "the bookmark has no security scope to use")
      }
      return
    }
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
    guard Bookmark.isGenuine(data, key: key) else { throw Bookmark.damaged }
  }

  private func grant(_ bookmark: Bookmark, _ url: URL) {
    if bookmark.isScoped {
      if options.contains(.withSecurityScope) { ScopeRegistry.shared.grant(url) }
      return
    }
    guard !bookmark.flags.contains(.withoutScope) else { return }
    ScopeRegistry.shared.grant(url)
    if !options.contains(.withoutImplicitStartAccessing) { _ = ScopeRegistry.shared.start(url) }
  }
}
