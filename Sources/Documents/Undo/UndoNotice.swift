import Foundation

/// What the notices about a group say of it.
struct UndoNotice: Sendable {
  let tally: UndoTally

  init(_ tally: UndoTally = UndoTally()) { self.tally = tally }

  /// The notification's user info.
  var userInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [UndoManager.groupActionCountKey: tally.actions]
    if tally.isDiscardable { info[NSUndoManagerGroupIsDiscardableKey] = true }
    return info
  }
}
