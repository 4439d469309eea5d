import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// What an accessor did, as far as presenters are told of it.
enum AccessOutcome {
  /// The notices of one access, moves first.
  ///
  /// `before` is how each item was when the accessor began; empty when nobody listened then.
  static func notices(
    of items: [AccessItem],
    _ grants: [Claim.Grant],
    before: [FileStatus?],
    moves: [(old: FilePath, new: FilePath)]
  ) -> [Notice] {
    var notices = moves.map { Notice.moved($0.old, $0.new) }
    for (index, (item, grant)) in zip(items, grants).enumerated() where item.isWriting {
      let path = grant.identity.item
      // The move says it all; what stood at the new place before is told that it changed.
      if moves.contains(where: { $0.old == path || $0.new == path }) {
        continue
      }
      let existed = index < before.count ? before[index] != nil : true
      let exists = (try? FileStatus(of: path)) != nil  // a missing item is the answer
      switch (existed, exists) {
      case (false, true): notices.append(.appeared(path))
      case (true, false):
        notices.append(
          .deleted(
            path,
            wasAccommodated: item.writingOptions.contains(.forDeleting)
              || item.writingOptions.contains(.forReplacing)
          )
        )
      case (true, true): notices.append(.changed(path))
      case (false, false): break
      }
    }
    return notices
  }
}
