public import Foundation

// Apple's messages are bound to the main actor. These are not, because the manager is not: a message
// is delivered on the thread whose call led to it.

/// What an undo manager can have to say; a type for each, so that observers can name it.
public protocol UndoManagerNotice: Sendable {
  /// The notification that says it.
  static var name: Notification.Name { get }
}

/// What is said of a group, of which all actions may be discardable.
public protocol UndoManagerGroupNotice: UndoManagerNotice {}

extension UndoManager {
  /// One notification of an undo manager, with types.
  ///
  /// Delivered on the thread whose call led to it.
  public struct Message<Notice: UndoManagerNotice>: NotificationCenter.AsyncMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { Notice.name }
    /// The manager it is about.
    public var undoManager: UndoManager
    fileprivate var isGroupDiscardable = false

    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }

    /// What a notification says, or nil if its object is no undo manager.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let manager = notification.object as? UndoManager else { return nil }
      var message = Self(undoManager: manager)
      let discardable = notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool
      message.isGroupDiscardable = discardable ?? false
      return message
    }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(
        name: name,
        object: message.undoManager,
        userInfo: message.isGroupDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil
      )
    }
  }

  /// Tells of a moment at which pending changes should be registered.
  ///
  /// Apple symbol: UndoManager.CheckpointMessage.
  public typealias CheckpointMessage = Message<Notices.Checkpoint>
  /// Tells that a group was opened.
  ///
  /// Apple symbol: UndoManager.DidOpenUndoGroupMessage.
  public typealias DidOpenUndoGroupMessage = Message<Notices.DidOpenUndoGroup>
  /// Tells that a group is about to be closed.
  ///
  /// Apple symbol: UndoManager.WillCloseUndoGroupMessage.
  public typealias WillCloseUndoGroupMessage = Message<Notices.WillCloseUndoGroup>
  /// Tells that a group was closed.
  ///
  /// Apple symbol: UndoManager.DidCloseUndoGroupMessage.
  public typealias DidCloseUndoGroupMessage = Message<Notices.DidCloseUndoGroup>
  /// Tells that a group is about to be undone.
  ///
  /// Apple symbol: UndoManager.WillUndoChangeMessage.
  public typealias WillUndoChangeMessage = Message<Notices.WillUndoChange>
  /// Tells that a group was undone.
  ///
  /// Apple symbol: UndoManager.DidUndoChangeMessage.
  public typealias DidUndoChangeMessage = Message<Notices.DidUndoChange>
  /// Tells that a group is about to be redone.
  ///
  /// Apple symbol: UndoManager.WillRedoChangeMessage.
  public typealias WillRedoChangeMessage = Message<Notices.WillRedoChange>
  /// Tells that a group was redone.
  ///
  /// Apple symbol: UndoManager.DidRedoChangeMessage.
  public typealias DidRedoChangeMessage = Message<Notices.DidRedoChange>

  /// All that an undo manager says.
  public enum Notices {
    /// Pending changes should be registered.
    public enum Checkpoint: UndoManagerNotice {
      /// `NSUndoManagerCheckpoint`.
      public static var name: Notification.Name { .NSUndoManagerCheckpoint }
    }
    /// A group was opened.
    public enum DidOpenUndoGroup: UndoManagerNotice {
      /// `NSUndoManagerDidOpenUndoGroup`.
      public static var name: Notification.Name { .NSUndoManagerDidOpenUndoGroup }
    }
    /// A group is about to be closed.
    public enum WillCloseUndoGroup: UndoManagerGroupNotice {
      /// `NSUndoManagerWillCloseUndoGroup`.
      public static var name: Notification.Name { .NSUndoManagerWillCloseUndoGroup }
    }
    /// A group was closed.
    public enum DidCloseUndoGroup: UndoManagerGroupNotice {
      /// `NSUndoManagerDidCloseUndoGroup`.
      public static var name: Notification.Name { .NSUndoManagerDidCloseUndoGroup }
    }
    /// A group is about to be undone.
    public enum WillUndoChange: UndoManagerNotice {
      /// `NSUndoManagerWillUndoChange`.
      public static var name: Notification.Name { .NSUndoManagerWillUndoChange }
    }
    /// A group was undone.
    public enum DidUndoChange: UndoManagerNotice {
      /// `NSUndoManagerDidUndoChange`.
      public static var name: Notification.Name { .NSUndoManagerDidUndoChange }
    }
    /// A group is about to be redone.
    public enum WillRedoChange: UndoManagerNotice {
      /// `NSUndoManagerWillRedoChange`.
      public static var name: Notification.Name { .NSUndoManagerWillRedoChange }
    }
    /// A group was redone.
    public enum DidRedoChange: UndoManagerNotice {
      /// `NSUndoManagerDidRedoChange`.
      public static var name: Notification.Name { .NSUndoManagerDidRedoChange }
    }
  }
}

extension UndoManager.Message where Notice: UndoManagerGroupNotice {
  /// Whether all actions of the group can be lost without loss.
  public var isDiscardable: Bool {
    get { isGroupDiscardable }
    set { isGroupDiscardable = newValue }
  }
}
