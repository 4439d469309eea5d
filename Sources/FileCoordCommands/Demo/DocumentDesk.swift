import Documents
import FileCoordination
import Foundation
import LinuxSystem

/// The file as a `UIDocument`, and what an application does with one: edit, save, merge conflicts.
final class DocumentDesk: DemoDesk {
  private let document: DemoDocument
  private let file: FilePath
  private let editor: DemoEditor
  private var isOpen = false
  private var isSaving = false
  private var failure: CommandFailure?

  init(_ file: FilePath, _ editor: DemoEditor) {
    self.file = file
    self.editor = editor
    document = DemoDocument(file.url(), editor)
  }

  var text: String { document.text }

  var isQuiet: Bool {
    get throws {
      if let failure { throw failure }
      // Nothing is read here that no message told of: being equal proves that all was told.
      return try isOpen && !isSaving && document.documentState == []
        && DemoFile.contents(of: file) == document.text
    }
  }

  func open() {
    document.open { [unowned self] success in
      isOpen = success
      if !success { fail("opened") }
    }
  }

  func close() { document.closeDiscardingChanges() }

  func edit(_ line: String) {
    document.text = DemoFile.text(document.text, with: line)
    document.updateChangeCount(.done)
  }

  func settle() throws -> Bool {
    if let failure { throw failure }
    if isSaving { return false }
    if document.documentState.contains(.inConflict) {
      merge()
    } else if document.hasUnsavedChanges {
      save()
    }
    return try !document.hasUnsavedChanges && isQuiet
  }

  private func save() {
    isSaving = true
    document.save(to: document.fileURL, for: .forOverwriting) { [unowned self] success in
      isSaving = false
      if !success { fail("saved") }
    }
  }

  /// Takes in what others wrote meanwhile: lines can be merged, so nobody has to be asked.
  private func merge() {
    let versions = NSFileVersion.unresolvedConflictVersionsOfItem(at: document.fileURL) ?? []
    // None: the other editor has merged, and word of that is on its way.
    if versions.isEmpty { return }
    var texts = [document.text]
    for version in versions {
      // One that went meanwhile was merged by the other editor, whose text comes as a change.
      guard let text = try? String(contentsOf: version.url, encoding: .utf8) else { continue }
      texts.append(text)
    }
    editor.note("merges \(texts.count) texts")
    for version in versions { version.isResolved = true }
    document.text = DemoFile.merged(texts)
    document.updateChangeCount(.done)
    save()
  }

  private func fail(_ what: String) {
    let reason = document.lastError?.localizedDescription ?? "nobody knows why"
    failure = CommandFailure(.failure, "\(file) could not be \(what): \(reason)")
    editor.wake()
  }
}

/// The document of the demo: a text, and a line on the timeline for each message.
// @unchecked because it is used on the main thread, and the editor it tells may be told from any.
private final class DemoDocument: UIDocument, @unchecked Sendable {
  var text = ""
  private let editor: DemoEditor

  init(_ url: URL, _ editor: DemoEditor) {
    self.editor = editor
    super.init(fileURL: url)
  }

  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    guard let data = contents as? Data else { throw CocoaError(.fileReadCorruptFile) }
    text = String(decoding: data, as: UTF8.self)
    editor.note("reads \(DemoFile.count(in: text) ?? 0) edits")
  }

  override func contents(forType typeName: String) throws -> Any {
    editor.note("saves \(DemoFile.count(in: text) ?? 0) edits")
    return Data(text.utf8)
  }

  override func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    editor.note("lets a reader in")
    super.relinquishPresentedItem(toReader: wrapped(reader))
  }

  override func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    editor.note("lets a writer in")
    super.relinquishPresentedItem(toWriter: wrapped(writer))
  }

  private func wrapped(
    _ other: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) -> @Sendable ((@Sendable () -> Void)?) -> Void {
    { [editor] takeBack in
      other {
        editor.note("has the file back")
        takeBack?()
      }
    }
  }

  override func savePresentedItemChanges(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    editor.note(hasUnsavedChanges ? "is asked to save" : "has nothing to save")
    super.savePresentedItemChanges(completionHandler: completionHandler)
  }

  override func presentedItemDidChange() {
    editor.note("hears of a change")
    super.presentedItemDidChange()
  }

  override func presentedItemDidGain(_ version: NSFileVersion) {
    editor.note("hears of a conflict")
    super.presentedItemDidGain(version)
  }
}
