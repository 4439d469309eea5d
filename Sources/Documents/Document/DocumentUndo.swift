import Foundation
import Synchronization

/// A document's undo manager, and the change count that follows it.
// @unchecked because the observers are only added and removed under the lock.
final class DocumentUndo: @unchecked Sendable {
  private struct State {
    var manager: UndoManager?
    var observers: [any NSObjectProtocol] = []
  }
  private let lock = NSLock()
  private var state = State()
  var document: WeakDocument?

  /// The one that is there, without making one.
  var existing: UndoManager? { lock.withLock { state.manager } }

  /// The one that is there, or a new one.
  var manager: UndoManager {
    lock.withLock {
      if let manager = state.manager { return manager }
      let made = UndoManager()
      observe(made)
      return made
    }
  }

  func replace(by manager: UndoManager?) {
    lock.withLock {
      forget()
      if let manager { observe(manager) }
    }
  }

  func end() { lock.withLock { forget() } }

  private func forget() {
    for observer in state.observers { NotificationCenter.default.removeObserver(observer) }
    state = State()
  }

  private func observe(_ manager: UndoManager) {
    let document = document
    func on(_ name: NSNotification.Name, _ change: UIDocument.ChangeKind) {
      state.observers.append(
        NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) {
          notification in
          guard Self.counts(notification, change) else { return }
          document?.document?.updateChangeCount(change)
        }
      )
    }
    state.manager = manager
    on(.NSUndoManagerDidCloseUndoGroup, .done)
    on(.NSUndoManagerDidUndoChange, .undone)
    on(.NSUndoManagerDidRedoChange, .redone)
  }

  /// Whether a notification is about a change of the model: nested groups count with the outermost one,
  /// and a group without actions, or one that may be discarded, changes nothing.
  private static func counts(_ notification: Notification, _ change: UIDocument.ChangeKind) -> Bool
  {
    guard let manager = notification.object as? UndoManager else { return false }
    let info = notification.userInfo
    if info?[NSUndoManagerGroupIsDiscardableKey] as? Bool == true { return false }
    guard change == .done else { return true }
    if info?[UndoManager.groupActionCountKey] as? Int == 0 { return false }
    return manager.groupingLevel == 0 && !manager.isUndoing && !manager.isRedoing
  }
}
