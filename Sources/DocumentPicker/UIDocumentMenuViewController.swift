public import Foundation
import DocumentTypes
import FileCoordination

/// Where an option of one's own stands in a document menu.
///
/// Apple symbol: UIDocumentMenuOrder.
public enum UIDocumentMenuOrder: UInt, Hashable, Sendable {
  /// Above the providers.
  case first = 0
  /// Below the providers.
  case last = 1
}

/// Hears what came of a document menu, on the main queue.
///
/// Apple symbol: UIDocumentMenuDelegate.
@MainActor public protocol UIDocumentMenuDelegate: AnyObject {
  /// A provider was chosen: give the picker a delegate and show it.
  ///
  /// Apple symbol: UIDocumentMenuDelegate.documentMenu(_:didPickDocumentPicker:).
  func documentMenu(
    _ documentMenu: UIDocumentMenuViewController,
    didPickDocumentPicker documentPicker: UIDocumentPickerViewController
  )
  /// Nothing was chosen.
  ///
  /// Apple symbol: UIDocumentMenuDelegate.documentMenuWasCancelled(_:).
  func documentMenuWasCancelled(_ documentMenu: UIDocumentMenuViewController)
}

extension UIDocumentMenuDelegate {
  /// Does nothing.
  public func documentMenuWasCancelled(_ documentMenu: UIDocumentMenuViewController) {}
}

/// A picture of a menu's row: the icon theme's name of it.
///
/// Apple symbol: UIImage, of which only the name is here.
public struct UIImage: Hashable, Sendable {
  /// The name in the icon theme.
  public let name: String
  /// A picture of that name.
  ///
  /// Apple symbol: UIImage.init(named:).
  public init?(named name: String) { self.name = name }
}

/// A list of the providers that can be used, and of options of one's own.
///
/// Apple symbol: UIDocumentMenuViewController.
@MainActor open class UIDocumentMenuViewController: UIViewController {
  private struct Option {
    let entry: MenuEntry
    let order: UIDocumentMenuOrder
    let handler: () -> Void
  }
  private let mode: UIDocumentPickerMode
  private let types: [String]
  private let source: URL?
  private var options: [Option] = []
  private var shownIn: DocumentSession?
  private var isPutAway = false

  /// Hears what was chosen; held weakly.
  ///
  /// Apple symbol: UIDocumentMenuViewController.delegate.
  public weak var delegate: (any UIDocumentMenuDelegate)?

  /// Offers providers that have items of these types; only `import` and `open`, other modes trap.
  ///
  /// Apple symbol: UIDocumentMenuViewController.init(documentTypes:in:).
  public nonisolated init(documentTypes allowedUTIs: [String], in mode: UIDocumentPickerMode) {
    precondition(mode.picksItems, "document types are for import and open, not for \(mode)")
    self.mode = mode
    types = allowedUTIs
    source = nil
    super.init()
  }

  /// Offers providers that take this file; only `exportToService` and `moveToService`, others trap.
  ///
  /// Apple symbol: UIDocumentMenuViewController.init(url:in:).
  public nonisolated init(url: URL, in mode: UIDocumentPickerMode) {
    precondition(!mode.picksItems, "files are for export and move, not for \(mode)")
    self.mode = mode
    types = []
    source = url
    super.init()
  }

  /// Adds a row, whose handler runs on the main queue if it is chosen; the delegate hears nothing then.
  ///
  /// Apple symbol: UIDocumentMenuViewController.addOption(withTitle:image:order:handler:).
  open func addOption(
    withTitle title: String,
    image: UIImage?,
    order: UIDocumentMenuOrder,
    handler: @escaping () -> Void
  ) {
    let entry = MenuEntry(id: "option \(options.count)", title: title, iconName: image?.name)
    options.append(Option(entry: entry, order: order, handler: handler))
  }

  /// What is shown: options that come first, providers, options that come last.
  var entries: [MenuEntry] {
    let wanted =
      source.map { [UTType(of: $0)] } ?? types.map { UTType($0) ?? UTType(importedAs: $0) }
    let providers = DocumentProviders.providers(mode: mode, types: wanted).map {
      MenuEntry(id: $0.id.rawValue, title: $0.displayName, iconName: $0.iconName)
    }
    let first = options.filter { $0.order == .first }.map(\.entry)
    let last = options.filter { $0.order == .last }.map(\.entry)
    return first + providers + last
  }

  override func beginPresentation(in session: DocumentSession) {
    shownIn = session
    isPutAway = false
    Task { @MainActor in
      let title = mode.picksItems ? "Choose from" : "Hand over to"
      let chosen: String?
      do {
        chosen = try await session.frontEnd.chooseFromMenu(title: title, entries: entries)
      } catch {
        Diagnostics.report("the document menu failed: \(error.localizedDescription)")
        chosen = nil
      }
      guard !isPutAway else { return }
      leave()
      shownIn = nil
      guard let chosen else { delegate?.documentMenuWasCancelled(self); return }
      if let option = options.first(where: { $0.entry.id == chosen }) { return option.handler() }
      let picker =
        source.map { UIDocumentPickerViewController(url: $0, in: mode) }
        ?? UIDocumentPickerViewController(documentTypes: types, in: mode)
      picker.initialProvider = ProviderID(rawValue: chosen)
      picker.documentSession = documentSession
      delegate?.documentMenu(self, didPickDocumentPicker: picker)
    }
  }

  override func endPresentation() {
    isPutAway = true
    let frontEnd = shownIn?.frontEnd
    Task { await frontEnd?.dismiss() }
  }
}
