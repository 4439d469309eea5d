import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// A client says that attributes of an item's place in a cloud changed.
enum UbiquityAnnouncement {
  static func announce(_ url: URL, _ attributes: Set<URLResourceKey>, by core: CoordinatorCore) {
    guard let path = FilePath(url), !attributes.isEmpty else { return }
    // A path that cannot be followed has no presenters.
    guard let item = try? ItemResolver.shared.resolve(path, followingLink: false).item else {
      return
    }
    let notice = Notice.ubiquity(item, attributes.map(\.rawValue))
    AccessAudience(ClaimID.next(), excluding: core.presenterKey, onBehalfOf: [])
      .tell(notice, presenting: PresenceQuery(exact: [item], inside: []))
  }
}
