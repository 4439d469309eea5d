import DocumentPicker
import FileCoordination
import Foundation
import LinuxSystem

func emit(_ line: String) {
  do { try StandardStream.output.write(Array((line + "\n").utf8)) } catch { exit(2) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
func option(_ name: String) -> String? {
  guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
  return arguments[index + 1]
}
func has(_ name: String) -> Bool { arguments.contains(name) }

/// What the user does with a picker.
func answer(_ request: SelectionRequest) async throws -> Selection {
  emit("shown \(request.initialProvider)")
  emit("providers \(request.providers.map(\.id.rawValue).joined(separator: ","))")
  let id = option("--provider").map { ProviderID(rawValue: $0) } ?? request.initialProvider
  let page = try await request.page(id)
  if let title = page.confirmTitle { emit("button \(title)") }
  if let warning = page.warning { emit("warning \(warning)") }
  if has("--hang") {
    emit("hanging")
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }
  if has("--fail") { throw DocumentPickerError.frontEndUnavailable("as asked for") }
  if has("--confirm") { return .confirmed(id) }
  if let places = option("--to") {
    return .destinations(id, places.split(separator: ",").map { URL(filePath: String($0)) })
  }
  if let items = option("--take") {
    return .items(id, items.split(separator: ",").map { URL(filePath: String($0)) })
  }
  return .cancelled
}

@MainActor class SingularDelegate: UIDocumentPickerDelegate {
  func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentAt url: URL) {
    emit("picked-one \(url.path)")
    finish([url])
  }
  func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {
    emit("cancelled")
    end()
  }
}

@MainActor final class PluralDelegate: UIDocumentPickerDelegate {
  func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didPickDocumentsAt urls: [URL]
  ) {
    for url in urls { emit("picked \(url.path)") }
    finish(urls)
  }
  func documentPicker(_ controller: UIDocumentPickerViewController, didPickDocumentAt url: URL) {
    emit("picked-one \(url.path)")
  }
  func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {
    emit("cancelled")
    end()
  }
  func documentPicker(
    _ controller: UIDocumentPickerViewController,
    didFailWith error: any Error
  ) {
    emit("failed \(error)")
    end()
  }
}

@MainActor func finish(_ urls: [URL]) {
  for url in urls {
    let didStart = url.startAccessingSecurityScopedResource()
    emit("scope \(didStart)")
    if has("--read") {
      do {
        let text = try NSFileCoordinator().coordinate(readingItemAt: url) {
          try String(contentsOf: $0, encoding: .utf8)
        }
        emit("text \(text)")
      } catch { emit("unreadable \(error)") }
    }
    if let text = option("--write") {
      do {
        try NSFileCoordinator().coordinate(writingItemAt: url) {
          try Data(text.utf8).write(to: $0)
        }
        emit("written")
      } catch { emit("unwritable \(error)") }
    }
    if didStart { url.stopAccessingSecurityScopedResource() }
  }
  // The app's own end takes its copies along.
  if has("--close") {
    DocumentSession.shared.close()
    for url in urls { emit("exists \(FileManager.default.fileExists(atPath: url.path))") }
  }
  end()
}

@MainActor func end() {
  Task { @MainActor in
    if let frontEnd = DocumentSession.shared.frontEnd as? ScriptedFrontEnd {
      emit("dismissals \(await frontEnd.dismissals)")
    }
    exit(0)
  }
}

@MainActor final class MenuDelegate: UIDocumentMenuDelegate {
  func documentMenu(
    _ documentMenu: UIDocumentMenuViewController,
    didPickDocumentPicker documentPicker: UIDocumentPickerViewController
  ) {
    emit("picker \(documentPicker.documentPickerMode) delegate \(documentPicker.delegate == nil)")
    emit("presented \(documentPicker.presentingViewController != nil)")
    documentPicker.delegate = App.delegate
    App.app.present(documentPicker, animated: true)
  }
  func documentMenuWasCancelled(_ documentMenu: UIDocumentMenuViewController) {
    emit("menu-cancelled")
    end()
  }
}

/// The program's one view controller and its delegate.
@MainActor enum App {
  static let app = UIViewController()
  static let delegate: any UIDocumentPickerDelegate =
    has("--singular") ? SingularDelegate() : PluralDelegate()
  static let menuDelegate = MenuDelegate()
  /// Pickers hold their delegate weakly.
  static var rounds: DocumentRounds?
}

/// Holds the picker open until it is put away.
actor HeldFrontEnd: DocumentPickerFrontEnd {
  private var waiting: CheckedContinuation<Void, Never>?
  func select(_ request: SelectionRequest) async throws -> Selection {
    await withCheckedContinuation { continuation in
      waiting = continuation
      Task { @MainActor in
        App.app.dismiss(animated: true)
        emit("put away")
      }
    }
    Task { @MainActor in
      // The last that the main queue does: whatever a callback would have said stands before it.
      await Task.yield()
      emit("over")
      exit(0)
    }
    return .items(.files, [])
  }
  func chooseFromMenu(title: String, entries: [MenuEntry]) async throws -> String? { nil }
  func dismiss() async {
    emit("dismissed")
    waiting?.resume()
    waiting = nil
  }
}
