import Documents
import Foundation

// Documents as applications for iOS have them. That this compiles, in its own spelling, is the test.

/// A class with everything that is usually overridden.
class ClientDocument: UIDocument {
  var text = ""
  weak var delegate: AnyObject?

  override func contents(forType typeName: String) throws -> Any {
    return text.data(using: .utf8) ?? Data()
  }

  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
    text = String(data: data, encoding: .utf8) ?? ""
  }

  override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
    print(error.localizedDescription)
    super.handleError(error, userInteractionPermitted: userInteractionPermitted)
  }

  override func close(completionHandler: ((Bool) -> Void)? = nil) {
    super.close { success in completionHandler?(success) }
  }

  override var hasUnsavedChanges: Bool { super.hasUnsavedChanges }
  override func disableEditing() { super.disableEditing() }
  override func enableEditing() { super.enableEditing() }
  override var localizedName: String { super.localizedName }
  override func presentedItemDidMove(to newURL: URL) { super.presentedItemDidMove(to: newURL) }
  override func accommodatePresentedItemDeletion(
    completionHandler: @escaping ((any Error)?) -> Void
  ) {
    completionHandler(nil)
  }
}

/// A controller that uses one.
final class ClientController: NSObject {
  var document: ClientDocument?

  func viewWillAppear() {
    document?.open(completionHandler: { (success) in
      if success { print("open") } else { print("failed") }
    })
    _ = NotificationCenter.default.addObserver(
      forName: UIDocument.stateChangedNotification,
      object: document,
      queue: nil
    ) { _ in }
  }

  func create(at url: URL) {
    let document = ClientDocument(fileURL: url)
    document.save(to: document.fileURL, for: .forCreating) { success in
      guard success else { return }
      document.close(completionHandler: nil)
    }
  }

  func stateChanged() {
    guard let document = document else { return }
    if document.documentState.contains(.inConflict) {
      try? NSFileVersion.removeOtherVersionsOfItem(at: document.fileURL)
      let conflicts = NSFileVersion.unresolvedConflictVersionsOfItem(at: document.fileURL)
      conflicts?.forEach { $0.isResolved = true }
    }
    if document.documentState == .normal { document.updateChangeCount(.done) }
    document.undoManager.registerUndo(withTarget: document) { $0.text = "" }
    document.autosave()
  }

  @MainActor func later(_ document: ClientDocument) async {
    guard await document.open() else { return }
    await document.save(to: document.fileURL, for: .forOverwriting)
    await document.autosave()
    await document.revert(toContentsOf: document.fileURL)
    await document.close()
  }
}
