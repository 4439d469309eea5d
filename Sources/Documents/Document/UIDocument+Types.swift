public import Foundation

extension UIDocument {
  /// What happened to the model.
  ///
  /// Apple symbol: UIDocument.ChangeKind.
  public enum ChangeKind: Int, Sendable {
    /// Something was changed.
    case done
    /// A change was undone.
    case undone
    /// A change was done again.
    case redone
    /// The model is as it stands on disk.
    case cleared
  }

  /// Why a document is written.
  ///
  /// Apple symbol: UIDocument.SaveOperation.
  public enum SaveOperation: Int, Sendable {
    /// It is new, or becomes a new item.
    case forCreating
    /// Its item gets new contents.
    case forOverwriting
  }

  /// How a document is; several can hold at once, and none of them is ``normal``.
  ///
  /// Apple symbol: UIDocument.State.
  public struct State: OptionSet, Sendable, Hashable {
    /// The bits.
    public let rawValue: UInt
    /// A state with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Open, editable, nothing wrong.
    public static var normal: State { [] }
    /// Not opened yet, closed again, or opening failed.
    public static let closed = State(rawValue: 1 << 0)
    /// There are versions of the item that are in conflict and not resolved.
    public static let inConflict = State(rawValue: 1 << 1)
    /// The last save, or revert, failed.
    public static let savingError = State(rawValue: 1 << 2)
    /// Busy: the model must not be edited now.
    public static let editingDisabled = State(rawValue: 1 << 3)
    /// ``UIDocument/progress`` says how far loading or saving is.
    public static let progressAvailable = State(rawValue: 1 << 4)
  }

  /// What a new document is made for, as a picker names it.
  ///
  /// Apple symbol: UIDocument.CreationIntent.
  public struct CreationIntent: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// An intent of this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An intent of this name.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// The one that is meant where none is named.
    public static let `default` = CreationIntent("default")
  }

  /// Posted when ``documentState`` changed, with the document as its object; on the main queue.
  ///
  /// The user info is nil, or has ``lastErrorKey``.
  public class var stateChangedNotification: Notification.Name {
    Notification.Name("UIDocumentStateChangedNotification")
  }

  /// Posted when a document moved over to a copy in a place that can be written; on the presenter's
  /// queue.
  public class var didMoveToWritableLocationNotification: Notification.Name {
    Notification.Name("UIDocumentDidMoveToWritableLocationNotification")
  }

  /// The old URL in the user info of ``didMoveToWritableLocationNotification``.
  public class var didMoveToWritableLocationOldURLKey: String {
    "UIDocumentDidMoveToWritableLocationOldURLKey"
  }

  /// The document's URL in the user info of its activity.
  public class var userActivityURLKey: String { "NSUserActivityDocumentURLKey" }

  /// The error in the user info of ``stateChangedNotification``, when there is one.
  ///
  /// - Note: Not in Apple's interface.
  public class var lastErrorKey: String { "FileCoordinationDocumentLastErrorKey" }
}
