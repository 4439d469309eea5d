public import Foundation

/// On whose behalf something is shown: what is left of a view controller where there are no views.
///
/// Apple symbol: UIViewController, of which only this is here.
@MainActor open class UIViewController: NSObject {
  /// What is shown on behalf of this one; while there is something, no preview is shown as well.
  ///
  /// Apple symbol: UIViewController.presentedViewController.
  open var presentedViewController: UIViewController? { nil }

  /// A view controller that shows nothing by itself.
  public override nonisolated init() { super.init() }
}
