public import Foundation

/// Shows others: what is left of a view controller where there are no views.
///
/// Apple symbol: UIViewController, of which only showing and putting away is here.
@MainActor open class UIViewController: NSObject {
  /// What is shown on behalf of this one.
  ///
  /// Apple symbol: UIViewController.presentedViewController.
  public private(set) var presentedViewController: UIViewController?
  /// On whose behalf this one is shown.
  ///
  /// Apple symbol: UIViewController.presentingViewController.
  public private(set) weak var presentingViewController: UIViewController?
  /// Ours: with which front end others are shown; ``DocumentSession/shared`` unless set.
  public var documentSession: DocumentSession?

  /// A view controller that shows nothing by itself.
  public override nonisolated init() { super.init() }

  /// Shows a picker or a menu; what the user does comes to its delegate, on the main queue.
  ///
  /// Returns at once. The completion is called as soon as it is being shown. If something is shown on
  /// behalf of this one already, nothing happens. A process that dies shows nothing any more.
  ///
  /// Apple symbol: UIViewController.present(_:animated:completion:).
  open func present(
    _ viewControllerToPresent: UIViewController,
    animated flag: Bool,
    completion: (() -> Void)? = nil
  ) {
    guard presentedViewController == nil, viewControllerToPresent.presentingViewController == nil
    else { return }
    presentedViewController = viewControllerToPresent
    viewControllerToPresent.presentingViewController = self
    viewControllerToPresent.beginPresentation(in: documentSession ?? .shared)
    completion?()
  }

  /// Puts away what is shown on behalf of this one, or else this one itself.
  ///
  /// A picker that is put away this way calls nothing of its delegate.
  ///
  /// Apple symbol: UIViewController.dismiss(animated:completion:).
  open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    let gone = presentedViewController ?? self
    gone.endPresentation()
    gone.leave()
    completion?()
  }

  /// It is not shown any more, and another may be.
  func leave() {
    presentingViewController?.presentedViewController = nil
    presentingViewController = nil
  }

  /// What pickers and menus do to be shown.
  func beginPresentation(in session: DocumentSession) {}
  /// What they do to be put away.
  func endPresentation() {}
}
