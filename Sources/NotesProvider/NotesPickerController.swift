package import DocumentPicker
import FileCoordination
import Foundation
import LinuxSystem

/// What users see of the notes in a picker: the list of them, or a button.
package final class NotesPickerController: UIDocumentPickerExtensionViewController {
  private let fileProvider: NotesFileProvider
  private let store = NoteStore()

  /// A controller that shows what this one provides.
  package init(_ fileProvider: NotesFileProvider) {
    self.fileProvider = fileProvider
    super.init()
  }

  private lazy var fileCoordinator: NSFileCoordinator = {
    let fileCoordinator = NSFileCoordinator()
    fileCoordinator.purposeIdentifier = providerIdentifier
    return fileCoordinator
  }()

  package override func prepareForPresentation(in mode: UIDocumentPickerMode) {
    switch mode {
    case .exportToService: confirmTitle = "Export to Notes"
    case .moveToService: confirmTitle = "Move to Notes"
    case .open, .import:
      do { try fileProvider.showAll() } catch {
        warning = "The notes cannot be listed: \(error.localizedDescription)"
      }
    }
    if let originalURL, originalURL.pathExtension != Note.fileExtension {
      confirmTitle = nil
      warning = "Notes only accepts .txt files!"
    }
  }

  package override func didConfirm() {
    guard let originalURL, originalURL.pathExtension == Note.fileExtension,
      let storage = documentStorageURL,
      let destination = Note.fileUrlForDocumentNamed(
        originalURL.deletingPathExtension().lastPathComponent,
        in: storage
      )
    else { return dismissGrantingAccess(to: nil) }
    do {
      let target = try free(destination)
      try fileCoordinator.coordinate(readingItemAt: originalURL, options: .withoutChanges) { url in
        try FileManager.default.createDirectory(at: storage, withIntermediateDirectories: true)
        guard let from = FilePath(url), let to = FilePath(target) else { return }
        // FileManager.copyItem would lose extended attributes.
        try FileSystem.duplicate(from, to: to)
      }
      // A coordinator of our own purpose calls no itemChanged: the store has to be told.
      try store.write(Data(contentsOf: target), to: target.lastPathComponent)
      dismissGrantingAccess(to: target)
    } catch {
      FileHandle.standardError.write(Data("notes-provider: cannot copy: \(error)\n".utf8))
      dismissGrantingAccess(to: nil)
    }
  }

  /// A name that no note has.
  private func free(_ url: URL) throws -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    let taken = Set(try store.names())
    for number in 1...10_000 {
      let candidate =
        number == 1
        ? url
        : url.deletingLastPathComponent().appending(path: "\(name) \(number)")
          .appendingPathExtension(Note.fileExtension)
      if !taken.contains(candidate.lastPathComponent),
        !FileManager.default.fileExists(atPath: candidate.path)
      {
        return candidate
      }
    }
    throw CocoaError(.fileWriteFileExists)
  }
}
