public import DocumentInteraction
public import DocumentPicker
import FileCoordination
public import Foundation
import LinuxSystem

/// A folder whose files can be looked at and opened: what the sample knows, whatever shows it.
///
/// Lists the folder, keeps the list current through a presenter of the folder, has an interaction
/// controller for each item that was touched, and turns what they tell into messages for a user.
@MainActor public final class InteractiveFolder {
  /// The folder.
  public let url: URL
  /// What is in it, folders first, then by name.
  public private(set) var items: [FolderItem] = []
  /// What the user is told last; empty: nothing.
  public private(set) var message = ""
  /// Called when items or message are new.
  public var didChange: @MainActor () -> Void = {}

  private let folder: FilePath
  private let frontEnd: any DocumentInteractionFrontEnd
  /// Controllers are kept by whoever makes them.
  private var controllers: [FilePath: UIDocumentInteractionController] = [:]
  private let viewController = UIViewController()
  private var presenter: FolderPresenter?
  private var isListing = false
  private var hasChangedMeanwhile = false

  /// A folder, and who shows menus and previews; looks whether it is one.
  ///
  /// - Throws: what the system says of it, and where it is no folder.
  public init(_ url: URL, frontEnd: any DocumentInteractionFrontEnd) throws {
    guard let path = FilePath(url) else {
      throw DocumentInteractionError(.notPreviewed, url, "\(url) is not the URL of a file")
    }
    folder = try FileSystem.realPath(path)
    guard try FileStatus(of: folder).kind == .directory else {
      throw DocumentInteractionError(.notPreviewed, url, "\(path): is not a folder")
    }
    self.url = folder.url(isDirectory: true)
    self.frontEnd = frontEnd
  }

  isolated deinit {
    if let presenter { NSFileCoordinator.removeFilePresenter(presenter) }
  }

  /// The folder's path, for a title.
  public var title: String { TerminalText.plain("\(folder)") }

  // MARK: the list

  /// Keeps the list current from now on; returns when it was read for the first time.
  public func follow() async {
    guard presenter == nil else { return }
    let presenter = FolderPresenter(url) { [weak self] in
      Task { @MainActor in await self?.reload() }
    }
    self.presenter = presenter
    NSFileCoordinator.addFilePresenter(presenter)
    await reload()
  }

  /// Reads the folder anew; once more if it changes meanwhile.
  private func reload() async {
    if isListing {
      hasChangedMeanwhile = true
      return
    }
    isListing = true
    repeat {
      hasChangedMeanwhile = false
      do {
        let folder = folder
        items = try await OwnThread.run { try FolderItem.all(in: folder) }
        let there = Set(items.map(\.path))
        controllers = controllers.filter { there.contains($0.key) }
      } catch {
        items = []
        message = "\(error)"
      }
      didChange()
    } while hasChangedMeanwhile
    isListing = false
  }

  // MARK: what a user does

  /// Shows an item.
  public func look(at item: FolderItem) {
    if !controller(of: item).presentPreview(animated: false) { say("there is nothing to see") }
  }

  /// Offers the programs that can open an item.
  public func openIn(_ item: FolderItem) {
    if !controller(of: item).presentOpenInMenu(animated: false) { say("no program can open it") }
  }

  /// Offers all that can be done with an item.
  public func offerOptions(for item: FolderItem) {
    if !controller(of: item).presentOptionsMenu(animated: false) { say("nothing can be done") }
  }

  private func controller(of item: FolderItem) -> UIDocumentInteractionController {
    if let known = controllers[item.path] { return known }
    let controller = UIDocumentInteractionController(url: item.url)
    controller.delegate = self
    controller.frontEnd = frontEnd
    controllers[item.path] = controller
    return controller
  }

  private func say(_ text: String) {
    message = TerminalText.plain(text)
    didChange()
  }
}

extension InteractiveFolder: UIDocumentInteractionControllerDelegate {
  /// One that presents nothing else.
  public func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController { viewController }

  /// All that can be done.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    canPerformAction action: DocumentAction
  ) -> Bool { true }

  /// Says so.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?
  ) { say("opening in \(application ?? "another program")…") }

  /// Says so.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didEndSendingToApplication application: String?
  ) {
    if !message.hasPrefix("not done") { say("opened in \(application ?? "another program")") }
  }

  /// Says so.
  public func documentInteractionControllerFileDidChange(
    _ controller: UIDocumentInteractionController
  ) { say("\(controller.name ?? "the file") was changed by another program") }

  /// Takes an old message away.
  public func documentInteractionControllerDidDismissOptionsMenu(
    _ controller: UIDocumentInteractionController
  ) { say("") }

  /// Says why.
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    didFailWith error: any Error
  ) { say("not done: \(error.localizedDescription)") }
}
