public import Foundation

/// The order among a run loop's observers in which Apple's undo manager ends an event.
///
/// Declared for client code; the end of an event comes through the main queue here.
///
/// Apple symbol: NSUndoCloseGroupingRunLoopOrdering.
public let NSUndoCloseGroupingRunLoopOrdering: Int = 350_000

/// In the user info of the notices about a group: present, and true, where all of it is discardable.
///
/// On the notices before and after a group is closed, undone or redone.
///
/// Apple symbol: NSUndoManagerGroupIsDiscardableKey.
public let NSUndoManagerGroupIsDiscardableKey: String = "NSUndoManagerGroupIsDiscardableKey"

extension UndoManager {
  /// Ours: in the user info of the same notices, how many actions the group has, as an `Int`.
  ///
  /// An outermost group with none is not put on the undo stack.
  public static let groupActionCountKey = "UndoManagerGroupActionCountKey"
}

/// Posted by ``UndoManager`` to the default center, on the thread whose call led to it, with the
/// manager as object.
extension NSNotification.Name {
  /// Before a group is opened, closed, undone or redone: the moment to register pending changes.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerCheckpoint.
  public static let NSUndoManagerCheckpoint =
    NSNotification.Name("NSUndoManagerCheckpointNotification")
  /// After a group was opened.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerDidOpenUndoGroup.
  public static let NSUndoManagerDidOpenUndoGroup =
    NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
  /// Before a group is closed.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerWillCloseUndoGroup.
  public static let NSUndoManagerWillCloseUndoGroup =
    NSNotification.Name("NSUndoManagerWillCloseUndoGroupNotification")
  /// After a group was closed.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerDidCloseUndoGroup.
  public static let NSUndoManagerDidCloseUndoGroup =
    NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
  /// Before a group is undone.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerWillUndoChange.
  public static let NSUndoManagerWillUndoChange =
    NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
  /// After a group was undone.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerDidUndoChange.
  public static let NSUndoManagerDidUndoChange =
    NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
  /// Before a group is redone.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerWillRedoChange.
  public static let NSUndoManagerWillRedoChange =
    NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
  /// After a group was redone.
  ///
  /// Apple symbol: NSNotification.Name.NSUndoManagerDidRedoChange.
  public static let NSUndoManagerDidRedoChange =
    NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
}
