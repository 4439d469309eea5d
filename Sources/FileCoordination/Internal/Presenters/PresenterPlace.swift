import CoordinationRuntime
import Foundation
import LinuxSystem

/// Where a presented item is: as the presenter spells it, and as everybody else knows it.
struct PresenterPlace: Sendable, Equatable {
  /// The presenter's own spelling.
  let spelled: FilePath
  /// The canonical path.
  let canonical: FilePath
  let isDirectory: Bool
  let isPackage: Bool

  init(spelled: FilePath, identity: ItemIdentity) {
    self.spelled = spelled
    canonical = identity.item
    // A missing item is a file until it turns out to be something else.
    isDirectory = (try? FileStatus(of: identity.item).kind) == .directory
    isPackage = identity.packages.last == identity.item
  }

  private init(spelled: FilePath, canonical: FilePath, isPackage: Bool) {
    self.spelled = spelled
    self.canonical = canonical
    isDirectory = (try? FileStatus(of: canonical).kind) == .directory
    self.isPackage = isPackage
  }

  /// This place after the item moved to another canonical path.
  func moved(to canonical: FilePath) -> PresenterPlace {
    PresenterPlace(spelled: spelling(of: canonical), canonical: canonical, isPackage: isPackage)
  }

  /// A canonical path as this presenter would spell it: under its own name of the directories.
  func spelling(of path: FilePath) -> FilePath {
    var spelled = spelled
    var canonical = canonical
    // What differs between the spellings lies above their common tail.
    while true {
      if let result = path.rebased(from: canonical, to: spelled) { return result }
      guard spelled.lastComponent == canonical.lastComponent, let above = spelled.parent,
        let canonicalAbove = canonical.parent
      else { return path }
      spelled = above
      canonical = canonicalAbove
    }
  }
}
