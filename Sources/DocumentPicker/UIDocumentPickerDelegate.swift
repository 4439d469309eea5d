import FileCoordination
public import Foundation

/// Hears what came of a document picker, on the main queue, after it was put away.
///
/// Exactly one of its methods is called for each showing, none if the program put the picker away.
///
/// Apple symbol: UIDocumentPickerDelegate.
@MainActor public protocol UIDocumentPickerDelegate: AnyObject {
  /// Items were picked, in the user's order.
  ///
  /// Apple symbol: UIDocumentPickerDelegate.documentPicker(_:didPickDocumentsAt:).
  func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didPickDocumentsAt urls: [URL]
  )
  /// An item was picked; called for each if the method for several is not there.
  ///
  /// Apple symbol: UIDocumentPickerDelegate.documentPicker(_:didPickDocumentAt:).
  func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentAt url: URL)
  /// The user picked nothing.
  ///
  /// Apple symbol: UIDocumentPickerDelegate.documentPickerWasCancelled(_:).
  func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController)
  /// Ours: nothing could be picked; unless it is there, the failure is said on standard error and
  /// ``documentPickerWasCancelled(_:)`` is called.
  func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didFailWith error: any Error
  )
}

extension UIDocumentPickerDelegate {
  /// Calls the method for one, for each in turn.
  public func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didPickDocumentsAt urls: [URL]
  ) {
    for url in urls { documentPicker(controller, didPickDocumentAt: url) }
  }
  /// Does nothing.
  public func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didPickDocumentAt url: URL
  ) {}
  /// Does nothing.
  public func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {}
  /// Says the failure, and counts as cancelled.
  public func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didFailWith error: any Error
  ) {
    Diagnostics.report("the document picker failed: \(error.localizedDescription)")
    documentPickerWasCancelled(controller)
  }
}
