public import DocumentTypes
import FileCoordination
public import Foundation

/// Lets the user choose files of others, or a place for files of ours.
///
/// Show it with `present(_:animated:)`; what was picked comes to the ``delegate``. Import gives copies
/// that last until ``DocumentSession/close()``, open and move give security-scoped URLs of the items
/// themselves, export gives the URL of the copy as a sign of success. All accesses are coordinated.
/// If the program dies meanwhile, whole files are in one place or in both, never half in one.
///
/// Apple symbol: UIDocumentPickerViewController.
@MainActor open class UIDocumentPickerViewController: UIViewController {
  private let contentTypes: [UTType]
  private let typeIdentifiers: [String]?
  let sources: [URL]
  private var showing: Task<Void, Never>?
  private var waiting: CheckedContinuation<DocumentPickerResult, Never>?
  private var shownIn: DocumentSession?
  private var isPutAway = false

  private nonisolated init(
    _ mode: UIDocumentPickerMode,
    types: [UTType],
    identifiers: [String]?,
    sources: [URL]
  ) {
    documentPickerMode = mode
    contentTypes = types
    typeIdentifiers = identifiers
    self.sources = sources
    super.init()
  }

  // MARK: making one

  /// Chooses items of these types; only `import` and `open`, other modes trap.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(documentTypes:in:).
  public convenience nonisolated init(
    documentTypes allowedUTIs: [String],
    in mode: UIDocumentPickerMode
  ) {
    precondition(mode.picksItems, "document types are for import and open, not for \(mode)")
    self.init(
      mode,
      types: allowedUTIs.map { UTType($0) ?? UTType(importedAs: $0) },
      identifiers: allowedUTIs,
      sources: []
    )
  }

  /// Hands one file over; only `exportToService` and `moveToService`, other modes trap.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(url:in:).
  public convenience nonisolated init(url: URL, in mode: UIDocumentPickerMode) {
    self.init(urls: [url], in: mode)
  }

  /// Hands files over; only `exportToService` and `moveToService`, other modes trap.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(urls:in:).
  public convenience nonisolated init(urls: [URL], in mode: UIDocumentPickerMode) {
    precondition(!mode.picksItems, "files are for export and move, not for \(mode)")
    self.init(mode, types: [], identifiers: nil, sources: urls)
  }

  /// Chooses items of these types: copies of them, or themselves.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(forOpeningContentTypes:asCopy:).
  public convenience nonisolated init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool) {
    self.init(
      asCopy ? .import : .open,
      types: contentTypes,
      identifiers: contentTypes.map(\.identifier),
      sources: []
    )
  }

  /// Chooses items of these types, to be used where they are.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(forOpeningContentTypes:).
  public convenience nonisolated init(forOpeningContentTypes contentTypes: [UTType]) {
    self.init(forOpeningContentTypes: contentTypes, asCopy: false)
  }

  /// Hands files over: copies of them, or themselves.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(forExporting:asCopy:).
  public convenience nonisolated init(forExporting urls: [URL], asCopy: Bool) {
    self.init(
      asCopy ? .exportToService : .moveToService,
      types: [],
      identifiers: nil,
      sources: urls
    )
  }

  /// Hands files over, which are moved.
  ///
  /// Apple symbol: UIDocumentPickerViewController.init(forExporting:).
  public convenience nonisolated init(forExporting urls: [URL]) {
    self.init(forExporting: urls, asCopy: false)
  }

  // MARK: what it does

  /// Hears what was picked; held weakly.
  ///
  /// Apple symbol: UIDocumentPickerViewController.delegate.
  public weak var delegate: (any UIDocumentPickerDelegate)?
  /// What becomes of what is picked.
  ///
  /// Apple symbol: UIDocumentPickerViewController.documentPickerMode.
  public let documentPickerMode: UIDocumentPickerMode
  /// Whether several items may be picked; false at first.
  ///
  /// Apple symbol: UIDocumentPickerViewController.allowsMultipleSelection.
  public var allowsMultipleSelection = false
  /// Whether names are shown with their extensions; false at first.
  ///
  /// Apple symbol: UIDocumentPickerViewController.shouldShowFileExtensions.
  public var shouldShowFileExtensions = false
  /// The folder to begin in; nil, as at first: the one of the last time.
  ///
  /// Apple symbol: UIDocumentPickerViewController.directoryURL.
  public var directoryURL: URL?

  /// Ours: the provider to begin with; nil, as at first: the one that was used last.
  ///
  /// A menu sets it. The user may change to another.
  public var initialProvider: ProviderID?

  /// Ours: shows it and waits for what comes of it, without a delegate.
  public func pick(in session: DocumentSession? = nil) async -> DocumentPickerResult {
    guard showing == nil else { return .failed(DocumentPickerError.alreadyPresented) }
    let session = session ?? documentSession ?? .shared
    shownIn = session
    isPutAway = false
    let result = await withCheckedContinuation { continuation in
      waiting = continuation
      showing = Task { @MainActor in finish(await run(session)) }
    }
    showing = nil
    shownIn = nil
    return result
  }

  /// What came first counts: what the user did, or that the program has put it away.
  private func finish(_ result: DocumentPickerResult) {
    waiting?.resume(returning: result)
    waiting = nil
  }

  private func run(_ session: DocumentSession) async -> DocumentPickerResult {
    let operation = PickerOperation(
      mode: documentPickerMode,
      types: contentTypes,
      identifiers: typeIdentifiers,
      sources: sources,
      session: session,
      bound: initialProvider
    )
    do {
      return try await operation.run(
        multiple: allowsMultipleSelection,
        extensions: shouldShowFileExtensions,
        folder: directoryURL,
        isWanted: { [weak self] in self?.isPutAway == false }
      )
    } catch {
      return .failed(error)
    }
  }

  override func beginPresentation(in session: DocumentSession) {
    Task { @MainActor in
      let result = await pick(in: session)
      guard !isPutAway else { return }
      leave()
      switch result {
      case .picked(let urls): delegate?.documentPicker(self, didPickDocumentsAt: urls)
      case .cancelled: delegate?.documentPickerWasCancelled(self)
      case .failed(let error): delegate?.documentPicker(self, didFailWith: error)
      }
    }
  }

  override func endPresentation() {
    guard showing != nil else { return }
    isPutAway = true
    let frontEnd = shownIn?.frontEnd
    Task { await frontEnd?.dismiss() }
    // A provider that never answers does not hold the program up.
    finish(.cancelled)
  }
}

/// What came of a picker.
public enum DocumentPickerResult: Sendable {
  /// Items, in the user's order.
  case picked([URL])
  /// Nothing was wanted.
  case cancelled
  /// Nothing could be picked.
  case failed(any Error)
}
