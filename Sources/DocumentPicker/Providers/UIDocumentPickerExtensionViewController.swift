import FileCoordination
public import Foundation
import ProviderLink

/// The part of a provider that users see inside of a picker.
///
/// Lives in the provider's own process, on its main thread, for one showing. What it says in
/// ``confirmTitle``, ``warning`` and ``folder`` is shown by the picker of the other program. If the
/// process dies, the picker fails and the files of the other program are as they were.
///
/// Apple symbol: UIDocumentPickerExtensionViewController.
@MainActor open class UIDocumentPickerExtensionViewController: UIViewController {
  private var identity: ProviderIdentity = .current
  private var hasStorage = true
  /// What becomes of it when it is put away.
  var onDismissal: ((URL?) -> Void)?

  /// A view controller whose showing has not begun.
  public override nonisolated init() { super.init() }

  /// What the other program wants; valid from ``prepareForPresentation(in:)`` on.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.documentPickerMode.
  public private(set) var documentPickerMode: UIDocumentPickerMode = .import
  /// The file that is handed over; nil for import and open.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.originalURL.
  public private(set) var originalURL: URL?
  /// The identifiers of the types that may be chosen; nil for export and move.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.validTypes.
  public private(set) var validTypes: [String]?
  /// The identifier of the provider: the purpose of its coordinators.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.providerIdentifier.
  public var providerIdentifier: String { identity.identifier }
  /// The folder that the provider shares; nil if it has no file provider.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.documentStorageURL.
  public var documentStorageURL: URL? {
    hasStorage ? identity.storage.url(isDirectory: true) : nil
  }

  /// Called once before it is shown: override it to say what is shown.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.prepareForPresentation(in:).
  open func prepareForPresentation(in mode: UIDocumentPickerMode) {}

  /// Ends the showing, and hands the item over to the other program; nil hands nothing over.
  ///
  /// Override it to do something before, and call this one. For export and move, the copy has to be
  /// there by now; for open and move, it has to be in ``documentStorageURL``.
  ///
  /// Apple symbol: UIDocumentPickerExtensionViewController.dismissGrantingAccess(to:).
  open func dismissGrantingAccess(to url: URL?) {
    let dismissal = onDismissal
    onDismissal = nil
    dismissal?(url)
  }

  /// Ends the showing, and hands nothing over.
  open override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
    dismissGrantingAccess(to: nil)
    completion?()
  }

  // MARK: Ours: what stands for views

  /// What the button says by which the user agrees; nil, as at first: there is none.
  public var confirmTitle: String?
  /// What the user should know; nil at first.
  public var warning: String?
  /// The folder whose files are shown for import and open: the provider's own unless set.
  public var folder: URL?

  /// The user chose a file of ``folder``: hands it over, unless overridden.
  open func didSelectItem(at url: URL) { dismissGrantingAccess(to: url) }
  /// The user pressed the button: hands nothing over, unless overridden.
  open func didConfirm() { dismissGrantingAccess(to: nil) }

  func begin(_ request: PickerRequest.Presentation, declaration: ProviderDeclaration) {
    hasStorage = declaration.documentGroup != nil
    documentPickerMode = request.mode
    originalURL = request.originalURL
    validTypes = request.validTypes
    prepareForPresentation(in: request.mode)
  }

  var page: ProviderPage {
    var page = ProviderPage()
    if documentPickerMode.picksItems { page.folder = folder ?? documentStorageURL }
    page.confirmTitle = confirmTitle
    page.warning = warning
    return page
  }
}
