package import Documents
import FileCoordination
import Foundation

/// A text file as a document.
///
/// Used on the main thread, except where UIDocument says otherwise.
package final class NoteDocument: UIDocument {
  /// The text as it is being edited.
  package private(set) var text = TextBuffer()
  /// Called after every change of the text, with where it was: by typing, by undo, from disk.
  package var textDidChange: ((TextChange) -> Void)?
  /// What went wrong last, for the status line.
  package private(set) var trouble: String?

  /// What changed.
  package enum TextChange {
    /// Bytes were replaced; the cursor belongs behind the new ones.
    case edit(at: Int, removed: Int, inserted: Int)
    /// All of it, from disk.
    case reload
  }

  /// Puts `new` in the place of some bytes; can be undone, together with the edits of the same run.
  package func replace(_ range: Range<Int>, with new: [UInt8], run: Int) {
    let old = text.replace(range, with: new)
    let inserted = range.lowerBound..<(range.lowerBound + new.count)
    undoManager.registerUndo(withTarget: self) { $0.replace(inserted, with: old, run: run) }
    undoManager.setActionUserInfoValue(run, forKey: Self.runKey)
    textDidChange?(.edit(at: range.lowerBound, removed: old.count, inserted: new.count))
  }

  private static let runKey: UndoManager.UserInfoKey = "run"

  /// Takes back the edits of the last run.
  package func undoRun() {
    UndoManager.endCurrentEvent()
    let run = undoManager.undoActionUserInfoValue(forKey: Self.runKey) as? Int
    repeat {
      undoManager.undo()
    } while undoManager.canUndo
      && undoManager.undoActionUserInfoValue(forKey: Self.runKey) as? Int == run
  }

  /// Makes the edits of the run again that was taken back last.
  package func redoRun() {
    UndoManager.endCurrentEvent()
    let run = undoManager.redoActionUserInfoValue(forKey: Self.runKey) as? Int
    repeat {
      undoManager.redo()
    } while undoManager.canRedo
      && undoManager.redoActionUserInfoValue(forKey: Self.runKey) as? Int == run
  }

  // MARK: UIDocument

  package override func contents(forType typeName: String) throws -> Any { text.data }

  package override func load(fromContents contents: Any, ofType typeName: String?) throws {
    guard let data = contents as? Data else {
      throw CocoaError(
        .fileReadUnsupportedScheme,
        userInfo: [NSLocalizedDescriptionKey: "“\(fileURL.lastPathComponent)” is a folder, no text"]
      )
    }
    text = TextBuffer(data)
    trouble = nil
    textDidChange?(.reload)
  }

  package override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
    trouble = error.localizedDescription
    finishedHandlingError(error, recovered: false)
  }

  // MARK: conflicts

  /// The other program's text, which stands against ours.
  package var theirs: NSFileVersion? {
    NSFileVersion.unresolvedConflictVersionsOfItem(at: fileURL)?
      .max { ($0.modificationDate ?? .distantPast) < ($1.modificationDate ?? .distantPast) }
  }

  /// Ours is the text from now on.
  package func keepMine(_ completion: @escaping (Bool) -> Void) {
    resolve()
    save(to: fileURL, for: .forOverwriting, completionHandler: completion)
  }

  /// Theirs is the text from now on; ours stays behind as a version.
  package func keepTheirs(_ completion: @escaping (Bool) -> Void) {
    do {
      try keepOwnText()
      if let theirs {
        let coordinator = NSFileCoordinator(filePresenter: self)
        try coordinator.coordinate(writingItemAt: fileURL) { url in
          _ = try theirs.replaceItem(at: url, options: [])
        }
      }
    } catch {
      trouble = error.localizedDescription
      completion(false)
      return
    }
    resolve()
    revert(toContentsOf: fileURL, completionHandler: completion)
  }

  /// Whoever takes theirs may still want to look at what was typed.
  private func keepOwnText() throws {
    let place = NSFileVersion.temporaryDirectoryURLForNewVersionOfItem(at: fileURL)
    let file = place.appendingPathComponent(fileURL.lastPathComponent)
    // A copy for the store, which takes it over.
    try text.data.write(to: file)
    _ = try NSFileVersion.addOfItem(at: fileURL, withContentsOf: file, options: .byMoving)
  }

  private func resolve() {
    for version in NSFileVersion.unresolvedConflictVersionsOfItem(at: fileURL) ?? [] {
      version.isResolved = true
    }
  }
}
