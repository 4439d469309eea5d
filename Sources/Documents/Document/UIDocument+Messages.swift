public import Foundation

extension UIDocument {
  /// ``stateChangedNotification`` with types.
  ///
  /// Apple symbol: UIDocument.StateChangedMessage.
  public struct StateChangedMessage: NotificationCenter.MainActorMessage {
    /// Whose message it is.
    public typealias Subject = UIDocument
    /// The notification that it stands for.
    public static var name: Notification.Name { UIDocument.stateChangedNotification }
    /// The document whose state changed.
    public var document: UIDocument

    /// A message about a document.
    public init(document: UIDocument) { self.document = document }

    /// The message that a notification stands for.
    public static func makeMessage(_ notification: Notification) -> StateChangedMessage? {
      (notification.object as? UIDocument).map { StateChangedMessage(document: $0) }
    }
    /// The notification that a message stands for.
    public static func makeNotification(_ message: StateChangedMessage) -> Notification {
      Notification(name: name, object: message.document)
    }
  }

  /// ``didMoveToWritableLocationNotification`` with types.
  ///
  /// Apple symbol: UIDocument.DidMoveToWritableLocationMessage.
  public struct DidMoveToWritableLocationMessage:
    // @unchecked because the document is handed to whoever listens, as the notification does.
    NotificationCenter.AsyncMessage, @unchecked Sendable
  {
    /// Whose message it is.
    public typealias Subject = UIDocument
    /// The notification that it stands for.
    public static var name: Notification.Name {
      UIDocument.didMoveToWritableLocationNotification
    }
    /// The document that moved.
    public var document: UIDocument
    /// Where it was.
    public var oldURL: URL

    /// A message about a document.
    public init(document: UIDocument, oldURL: URL) {
      self.document = document
      self.oldURL = oldURL
    }

    /// The message that a notification stands for.
    public static func makeMessage(
      _ notification: Notification
    ) -> DidMoveToWritableLocationMessage? {
      let key = UIDocument.didMoveToWritableLocationOldURLKey
      guard let document = notification.object as? UIDocument,
        let url = notification.userInfo?[key] as? URL
      else { return nil }
      return DidMoveToWritableLocationMessage(document: document, oldURL: url)
    }
    /// The notification that a message stands for.
    public static func makeNotification(
      _ message: DidMoveToWritableLocationMessage
    ) -> Notification {
      Notification(
        name: name,
        object: message.document,
        userInfo: [UIDocument.didMoveToWritableLocationOldURLKey: message.oldURL]
      )
    }
  }
}
