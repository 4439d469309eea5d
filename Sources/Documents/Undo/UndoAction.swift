/// One thing to do when something is undone: a handler and the object it is for.
///
/// The object is held weakly: where it is gone there is nothing to be undone.
// @unchecked because it is constant, and only who calls undo or redo touches what it holds.
final class UndoAction: @unchecked Sendable {
  private weak let target: AnyObject?
  private let handler: (AnyObject) -> Void
  /// Which object it is for, also when that is gone.
  let identity: ObjectIdentifier

  init<Target: AnyObject>(target: Target, handler: @escaping (Target) -> Void) {
    self.target = target
    identity = ObjectIdentifier(target)
    self.handler = { target in
      if let target = target as? Target { handler(target) }
    }
  }

  /// Runs the handler, if its object is still there.
  func perform() {
    if let target { handler(target) }
  }
}
