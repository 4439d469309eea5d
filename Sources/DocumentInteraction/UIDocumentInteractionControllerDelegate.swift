public import DocumentPicker

/// Whom a document interaction controller asks, and whom it tells what happens.
///
/// All methods may be left out, and are called on the main thread.
///
/// Apple symbol: UIDocumentInteractionControllerDelegate, without what places views.
@MainActor public protocol UIDocumentInteractionControllerDelegate: AnyObject {
  /// On whose behalf a preview is shown; left out: no preview is shown.
  ///
  /// Apple symbol: documentInteractionControllerViewControllerForPreview(_:).
  func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController

  /// A preview is about to be shown.
  ///
  /// Apple symbol: documentInteractionControllerWillBeginPreview(_:).
  func documentInteractionControllerWillBeginPreview(_ controller: UIDocumentInteractionController)
  /// The preview is gone.
  ///
  /// Apple symbol: documentInteractionControllerDidEndPreview(_:).
  func documentInteractionControllerDidEndPreview(_ controller: UIDocumentInteractionController)

  /// The options menu is about to be shown.
  ///
  /// Apple symbol: documentInteractionControllerWillPresentOptionsMenu(_:).
  func documentInteractionControllerWillPresentOptionsMenu(
    _ controller: UIDocumentInteractionController
  )
  /// The options menu is gone; what was chosen comes next.
  ///
  /// Apple symbol: documentInteractionControllerDidDismissOptionsMenu(_:).
  func documentInteractionControllerDidDismissOptionsMenu(
    _ controller: UIDocumentInteractionController
  )

  /// The menu of programs is about to be shown.
  ///
  /// Apple symbol: documentInteractionControllerWillPresentOpenInMenu(_:).
  func documentInteractionControllerWillPresentOpenInMenu(
    _ controller: UIDocumentInteractionController
  )
  /// The menu of programs is gone; what was chosen comes next.
  ///
  /// Apple symbol: documentInteractionControllerDidDismissOpenInMenu(_:).
  func documentInteractionControllerDidDismissOpenInMenu(
    _ controller: UIDocumentInteractionController
  )

  /// The file is about to go to a program, named as its desktop entry is, without `.desktop`.
  ///
  /// The annotation is read after this returned.
  ///
  /// Apple symbol: documentInteractionController(_:willBeginSendingToApplication:).
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?
  )
  /// The program has the file, or could not be started.
  ///
  /// Apple symbol: documentInteractionController(_:didEndSendingToApplication:).
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didEndSendingToApplication application: String?
  )

  /// Whether the options menu offers an action; left out: none.
  ///
  /// Apple symbol: documentInteractionController(_:canPerformAction:).
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    canPerformAction action: DocumentAction
  ) -> Bool
  /// Carries out an action; false, or left out: the controller does it.
  ///
  /// Apple symbol: documentInteractionController(_:performAction:).
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    performAction action: DocumentAction
  ) -> Bool

  /// Ours: the file was changed after it went to another program.
  func documentInteractionControllerFileDidChange(_ controller: UIDocumentInteractionController)
  /// Ours: something that the user chose did not happen.
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didFailWith error: any Error
  )
}

extension UIDocumentInteractionControllerDelegate {
  /// Nobody.
  public func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController { NoViewController.shared }
  /// Does nothing.
  public func documentInteractionControllerWillBeginPreview(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionControllerDidEndPreview(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionControllerWillPresentOptionsMenu(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionControllerDidDismissOptionsMenu(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionControllerWillPresentOpenInMenu(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionControllerDidDismissOpenInMenu(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?
  ) {}
  /// Does nothing.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didEndSendingToApplication application: String?
  ) {}
  /// No.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    canPerformAction action: DocumentAction
  ) -> Bool { false }
  /// Leaves it to the controller.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    performAction action: DocumentAction
  ) -> Bool { false }
  /// Does nothing.
  public func documentInteractionControllerFileDidChange(
    _ controller: UIDocumentInteractionController
  ) {}
  /// Does nothing.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didFailWith error: any Error
  ) {}
}

/// What a delegate without a view controller answers: the answer has no nil.
@MainActor final class NoViewController: UIViewController {
  static let shared = NoViewController()
}
