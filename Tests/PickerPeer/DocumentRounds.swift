import DocumentPicker
import Documents
import Foundation

/// A document of text.
// @unchecked because it is used from the main thread.
final class PickedDocument: UIDocument, @unchecked Sendable {
  var text = ""
  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    if let data = contents as? Data { text = String(decoding: data, as: UTF8.self) }
  }
  override func contents(forType typeName: String) throws -> Any { Data(text.utf8) }
}

/// Picks one item after the other, and opens, edits and closes each as a document.
@MainActor final class DocumentRounds: UIDocumentPickerDelegate {
  private let provider: ProviderID
  private let items: [URL]
  private var next = 0

  init(_ items: [URL], of provider: ProviderID) {
    self.items = items
    self.provider = provider
  }

  /// Ends by saying so, with the process alive: somebody wants to look at it.
  func go() {
    guard next < items.count else { return emit("closed \(next)") }
    let (provider, item) = (provider, items[next])
    next += 1
    DocumentSession.shared.frontEnd = ScriptedFrontEnd([
      .select { request in
        _ = try await request.page(provider)
        return .items(provider, [item])
      }
    ])
    let picker = UIDocumentPickerViewController(documentTypes: ["public.item"], in: .open)
    picker.delegate = self
    App.app.present(picker, animated: true)
  }

  func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didPickDocumentsAt urls: [URL]
  ) {
    Task { @MainActor in
      for url in urls {
        do { try await edit(url) } catch { emit("failed \(url.lastPathComponent): \(error)") }
      }
      go()
    }
  }

  func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didFailWith error: any Error
  ) {
    emit("failed \(error)")
    go()
  }

  private func edit(_ url: URL) async throws {
    let document = PickedDocument(fileURL: url)
    try await document.openOrThrow()
    document.text += "+"
    document.updateChangeCount(.done)
    try await document.closeOrThrow()
  }
}
