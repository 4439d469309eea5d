import DocumentPicker
import DocumentTypes
public import Foundation
import LinuxSystem

/// Lets a user see a file, open it in another program, or choose what to do with it.
///
/// One for each file; whoever makes it must keep it. The file is taken for whole and local. What is
/// presented is shown by the front end; the calls return at once and only say whether something will be
/// shown. Everything is called on the main thread, and nothing here blocks it but looking at the file.
///
/// Opening in a program takes a coordinated read until the program has opened the file. From then on, for
/// as long as the controller lives, it presents the file, and tells the delegate of changes.
///
/// Apple symbol: UIDocumentInteractionController.
@MainActor public final class UIDocumentInteractionController: NSObject {
  /// Who shows menus and previews; nil: nobody, and nothing can be presented.
  ///
  /// Unless it is set: previews in a window where there is a display and something that shows them
  /// (``DesktopFrontEnd``); menus, and else previews, as plain lines where standard input and output are
  /// a terminal.
  public static var frontEnd: (any DocumentInteractionFrontEnd)? = {
    let lines = LineFrontEnd()
    return DesktopFrontEnd(menus: lines) ?? lines
  }()

  /// Ours: the front end of this controller.
  public var frontEnd: (any DocumentInteractionFrontEnd)? = UIDocumentInteractionController.frontEnd

  /// Whom it asks and tells; not kept.
  ///
  /// Apple symbol: UIDocumentInteractionController.delegate.
  public weak var delegate: (any UIDocumentInteractionControllerDelegate)?

  /// The file.
  ///
  /// Another one brings its own name, type and icons.
  ///
  /// Apple symbol: UIDocumentInteractionController.url.
  public var url: URL? {
    didSet {
      givenName = nil
      givenType = nil
      presentation = nil
    }
  }

  /// Ours: whether the other program gets the file itself; else a copy of its own, which is deleted a day
  /// later at the earliest, by the next hand-off.
  public var opensInPlace = true

  /// What the other program is told about the file: a property list; see ``DocumentAnnotation``.
  ///
  /// Apple symbol: UIDocumentInteractionController.annotation.
  public var annotation: Any?

  private var givenName: String?
  private var givenType: String?
  private var presentation: HandOffPresentation?
  private var menuTask: Task<Void, Never>?
  private var previewTask: Task<Void, Never>?
  let services: InteractionServices

  /// A controller for a file.
  ///
  /// Apple symbol: UIDocumentInteractionController.init(url:).
  public convenience init(url: URL) { self.init(url: url, services: .desktop) }

  package init(url: URL, services: InteractionServices) {
    self.url = url
    self.services = services
    super.init()
  }

  isolated deinit {
    menuTask?.cancel()
    previewTask?.cancel()
  }

  // MARK: about the file

  /// The file's name, unless another was given.
  ///
  /// Apple symbol: UIDocumentInteractionController.name.
  public var name: String? {
    get { givenName ?? url?.lastPathComponent }
    set { givenName = newValue }
  }

  /// The identifier of the file's type: by the name if one was given, else by the file, unless another was
  /// given.
  ///
  /// Apple symbol: UIDocumentInteractionController.uti.
  public var uti: String? {
    get {
      if let givenType { return givenType }
      if let givenName {
        let ending = (givenName as NSString).pathExtension
        if let type = UTType(filenameExtension: ending) { return type.identifier }
      }
      return url.map { UTType(of: $0).identifier }
    }
    set { givenType = newValue }
  }

  /// The icon of the file's type, the smallest first; never empty.
  ///
  /// Looks into the icon themes.
  ///
  /// Apple symbol: UIDocumentInteractionController.icons.
  public var icons: [DocumentIcon] { services.icons(mimeType) }

  /// The MIME type by which programs are found.
  var mimeType: String {
    if let givenType, let mime = UTType(givenType)?.preferredMIMEType { return mime }
    if let givenName { return services.typeOfName(givenName) }
    return url.flatMap(services.typeOfItem) ?? "application/octet-stream"
  }

  // MARK: presenting

  /// Shows the file; false: it cannot be shown, or the delegate names nobody on whose behalf.
  ///
  /// Apple symbol: UIDocumentInteractionController.presentPreview(animated:).
  @discardableResult
  public func presentPreview(animated: Bool) -> Bool {
    guard let url, let frontEnd, previewTask == nil, menuTask == nil, canPreview(url) else {
      return false
    }
    previewTask = Task { [weak self] in
      await self?.preview(url, frontEnd)
      self?.previewTask = nil
    }
    return true
  }

  /// Shows a menu of all that can be done with the file; false: that is nothing.
  ///
  /// To see it, the actions that the delegate allows, and programs, the preferred one first.
  ///
  /// Apple symbol: UIDocumentInteractionController.presentOptionsMenu(from:in:animated:).
  @discardableResult
  public func presentOptionsMenu(animated: Bool) -> Bool {
    guard let url, let frontEnd, frontEnd.canShowMenus, menuTask == nil, previewTask == nil else {
      return false
    }
    let actions = DocumentAction.all.filter {
      (delegate?.documentInteractionController(self, canPerformAction: $0) ?? false)
        && services.canPerform($0, url, mimeType)
    }
    let type = mimeType
    var entries: [DocumentMenu.Entry] = []
    if canPreview(url) { entries.append(.init(choice: .preview, title: "Quick Look")) }
    entries += actions.map { .init(choice: .action($0), title: $0.title) }
    entries += services.programs(type).map(\.entry)
    guard !entries.isEmpty else { return false }
    present(
      DocumentMenu(title: name ?? "", entries: entries),
      frontEnd,
      will: { $0.documentInteractionControllerWillPresentOptionsMenu($1) },
      did: { $0.documentInteractionControllerDidDismissOptionsMenu($1) }
    )
    return true
  }

  /// Shows a menu of the programs that can open the file; false: there are none.
  ///
  /// Apple symbol: UIDocumentInteractionController.presentOpenInMenu(from:in:animated:).
  @discardableResult
  public func presentOpenInMenu(animated: Bool) -> Bool {
    guard url != nil, let frontEnd, frontEnd.canShowMenus, menuTask == nil, previewTask == nil
    else {
      return false
    }
    let programs = services.programs(mimeType)
    guard !programs.isEmpty else { return false }
    present(
      DocumentMenu(title: name ?? "", entries: programs.map(\.entry)),
      frontEnd,
      will: { $0.documentInteractionControllerWillPresentOpenInMenu($1) },
      did: { $0.documentInteractionControllerDidDismissOpenInMenu($1) }
    )
    return true
  }

  /// Puts the preview away; nothing happens if none is shown.
  ///
  /// Apple symbol: UIDocumentInteractionController.dismissPreview(animated:).
  public func dismissPreview(animated: Bool) { previewTask?.cancel() }

  /// Puts the menu away; nothing happens if none is shown, or something was chosen already.
  ///
  /// Apple symbol: UIDocumentInteractionController.dismissMenu(animated:).
  public func dismissMenu(animated: Bool) { menuTask?.cancel() }

  /// Ours: waits until nothing is shown and nothing is being handed over.
  public func waitUntilIdle() async {
    while let task = menuTask ?? previewTask { await task.value }
  }

  // MARK: what happens then

  private func canPreview(_ url: URL) -> Bool {
    guard let delegate, services.canPreview(url, mimeType) else { return false }
    let presenter = delegate.documentInteractionControllerViewControllerForPreview(self)
    return presenter !== NoViewController.shared && presenter.presentedViewController == nil
  }

  private func preview(_ url: URL, _ frontEnd: any DocumentInteractionFrontEnd) async {
    delegate?.documentInteractionControllerWillBeginPreview(self)
    do {
      try await frontEnd.show(try await services.preview(url, mimeType))
    } catch {
      delegate?.documentInteractionController(self, didFailWith: error)
    }
    delegate?.documentInteractionControllerDidEndPreview(self)
  }

  private typealias Tell = (
    any UIDocumentInteractionControllerDelegate, UIDocumentInteractionController
  ) -> Void

  private func present(
    _ menu: DocumentMenu,
    _ frontEnd: any DocumentInteractionFrontEnd,
    will: @escaping Tell,
    did: @escaping Tell
  ) {
    // Held while it is shown: the user must get what was chosen.
    menuTask = Task {
      if let delegate { will(delegate, self) }
      let choice = Task.isCancelled ? nil : await frontEnd.choose(from: menu)
      if let delegate { did(delegate, self) }
      // Put away meanwhile: then nothing was chosen.
      if let choice, !Task.isCancelled { await carryOut(choice, frontEnd) }
      menuTask = nil
    }
  }

  private func carryOut(
    _ choice: DocumentMenu.Choice,
    _ frontEnd: any DocumentInteractionFrontEnd
  ) async {
    guard let url else { return }
    switch choice {
    case .preview: await preview(url, frontEnd)
    case .program(let id): await send(url, to: id)
    case .action(let action):
      if delegate?.documentInteractionController(self, performAction: action) == true { return }
      do {
        try await services.perform(action, url, mimeType)
      } catch {
        delegate?.documentInteractionController(self, didFailWith: error)
      }
    }
  }

  private func send(_ url: URL, to id: String) async {
    let application = HandOff.identifier(id)
    delegate?.documentInteractionController(self, willBeginSendingToApplication: application)
    do {
      var handOff = HandOff(url: url, program: id, opensInPlace: opensInPlace)
      handOff.asks = true
      handOff.annotation = try annotation.map { try DocumentAnnotation.encode($0, for: url) }
      let presentation =
        self.presentation
        ?? HandOffPresentation(
          url,
          didChange: { [weak self] in self?.fileDidChange() },
          didMove: { [weak self] in self?.fileDidMove(to: $0) }
        )
      try await services.open(handOff, presentation.presenter)
      if opensInPlace { self.presentation = presentation }
    } catch {
      delegate?.documentInteractionController(self, didFailWith: error)
    }
    delegate?.documentInteractionController(self, didEndSendingToApplication: application)
  }

  private func fileDidChange() { delegate?.documentInteractionControllerFileDidChange(self) }

  private func fileDidMove(to new: URL) {
    let (name, type, presentation) = (givenName, givenType, presentation)
    url = new
    // It is the same file.
    (givenName, givenType, self.presentation) = (name, type, presentation)
  }
}
