public import Foundation

// Apple's messages are bound to the main actor. These are not, because the manager is not: a message
// is delivered on the thread whose call led to it.

extension UndoManager {
  /// Tells that a moment at which pending changes should be registered.
  ///
  /// Apple symbol: UndoManager.CheckpointMessage.
  public struct CheckpointMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerCheckpoint }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
  }
}

extension UndoManager {
  /// Tells that a group was opened.
  ///
  /// Apple symbol: UndoManager.DidOpenUndoGroupMessage.
  public struct DidOpenUndoGroupMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerDidOpenUndoGroup }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
  }
}

extension UndoManager {
  /// Tells that a group is about to be closed.
  ///
  /// Apple symbol: UndoManager.WillCloseUndoGroupMessage.
  public struct WillCloseUndoGroupMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerWillCloseUndoGroup }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// Whether all actions of the group can be lost without loss.
    public var isDiscardable = false
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
    /// What a notification says, or nil if its object is no undo manager.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let manager = notification.object as? UndoManager else { return nil }
      var message = Self(undoManager: manager)
      message.isDiscardable =
        notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool ?? false
      return message
    }
  }
}

extension UndoManager {
  /// Tells that a group was closed.
  ///
  /// Apple symbol: UndoManager.DidCloseUndoGroupMessage.
  public struct DidCloseUndoGroupMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerDidCloseUndoGroup }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// Whether all actions of the group can be lost without loss.
    public var isDiscardable = false
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
    /// What a notification says, or nil if its object is no undo manager.
    public static func makeMessage(_ notification: Notification) -> Self? {
      guard let manager = notification.object as? UndoManager else { return nil }
      var message = Self(undoManager: manager)
      message.isDiscardable =
        notification.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool ?? false
      return message
    }
  }
}

extension UndoManager {
  /// Tells that a group is about to be undone.
  ///
  /// Apple symbol: UndoManager.WillUndoChangeMessage.
  public struct WillUndoChangeMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerWillUndoChange }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
  }
}

extension UndoManager {
  /// Tells that a group was undone.
  ///
  /// Apple symbol: UndoManager.DidUndoChangeMessage.
  public struct DidUndoChangeMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerDidUndoChange }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
  }
}

extension UndoManager {
  /// Tells that a group is about to be redone.
  ///
  /// Apple symbol: UndoManager.WillRedoChangeMessage.
  public struct WillRedoChangeMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerWillRedoChange }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
  }
}

extension UndoManager {
  /// Tells that a group was redone.
  ///
  /// Apple symbol: UndoManager.DidRedoChangeMessage.
  public struct DidRedoChangeMessage: NotificationCenter.AsyncMessage, UndoManagerMessage {
    /// What it is about.
    public typealias Subject = UndoManager
    /// The notification that carries it.
    public static var name: Notification.Name { .NSUndoManagerDidRedoChange }
    /// The manager it is about.
    public var undoManager: UndoManager
    /// A message about a manager.
    public init(undoManager: UndoManager) { self.undoManager = undoManager }
    /// The notification that says the same.
    public static func makeNotification(_ message: Self) -> Notification {
      Notification(name: name, object: message.undoManager)
    }
  }
}

/// What all messages of an undo manager share.
public protocol UndoManagerMessage {
  /// The manager it is about.
  var undoManager: UndoManager { get }
  /// A message about a manager.
  init(undoManager: UndoManager)
}

extension NotificationCenter.AsyncMessage where Self: UndoManagerMessage {
  /// What a notification says, or nil if its object is no undo manager.
  public static func makeMessage(_ notification: Notification) -> Self? {
    (notification.object as? UndoManager).map(Self.init(undoManager:))
  }
}
