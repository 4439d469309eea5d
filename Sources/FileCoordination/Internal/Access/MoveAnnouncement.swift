import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// A client says that it moved an item.
enum MoveAnnouncement {
  static func announce(_ oldURL: URL, _ newURL: URL, by core: CoordinatorCore) {
    guard let old = canonical(oldURL), let new = canonical(newURL), old != new else { return }
    VersionMoves.follow(old, to: new)
    if let access = core.access(writing: old) { return access.didMove(old, to: new) }
    // Outside an accessor nobody waits for us, but presenters must know all the same.
    let audience = AccessAudience(ClaimID.next(), excluding: core.presenterKey, onBehalfOf: [])
    audience.finish([.moved(old, new)])
  }

  /// The canonical path of a place whose item may be gone by now: its directory is not.
  private static func canonical(_ url: URL) -> FilePath? {
    guard let path = FilePath(url) else { return nil }
    // A path that cannot be followed names no item that anybody waits for.
    return try? ItemResolver.shared.resolve(path, followingLink: false).item
  }
}
