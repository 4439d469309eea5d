public import Foundation

/// Reads and writes files so that the programs which do likewise wait for each other.
open class NSFileCoordinator: NSObject {
  /// A coordinator on behalf of no presenter.
  public override convenience init() { self.init(filePresenter: nil) }

  /// A coordinator on behalf of a presenter, which gets none of its messages.
  public init(filePresenter filePresenterOrNil: (any NSFilePresenter)?) { super.init() }

  /// What claims of this coordinator are made for.
  open var purposeIdentifier: String = UUID().uuidString
}
