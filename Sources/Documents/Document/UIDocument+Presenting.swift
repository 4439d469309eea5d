import FileCoordination
import Foundation
import LinuxSystem

extension UIDocument {
  func letWriterIn(_ writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void) {
    guard core[\.isRegistered] else { return writer(nil) }
    let reference = DocumentReference(self)
    core.files.hold { release in
      MainThread.run { reference.document.lockEditing() }
      writer {
        release()
        MainThread.run { reference.document.unlockEditing() }
        // Some writers only say so here.
        reference.document.lookAgain()
      }
    }
  }

  func saveForReader(_ completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    // In conflict the disk has another text than the model, and keeps it until that is settled.
    let mustSave =
      hasUnsavedChanges && core.with { $0.phase == .open && !$0.state.contains(.inConflict) }
    guard mustSave else { return completionHandler(nil) }
    core.with { $0.answeringSaves += 1 }
    let reference = DocumentReference(self)
    MainThread.run {
      reference.document.autosave { success in
        let document = reference.document
        document.core.with { $0.answeringSaves -= 1 }
        // An application that puts saving off lets readers see what is on disk.
        guard !success, document.documentState.contains(.savingError) else {
          return completionHandler(nil)
        }
        completionHandler(document.lastError ?? CocoaError(.fileWriteUnknown))
      }
    }
  }

  /// The item was moved by somebody.
  func follow(to url: URL) {
    let type = typeName(of: url)
    core.with { values in
      // Under the link's own name as long as that leads there.
      if values.presentedURL != nil {
        values.presentedURL = url
        if Self.presentedURL(of: values.fileURL)?.standardizedFileURL == url.standardizedFileURL {
          return
        }
        values.presentedURL = nil
      }
      values.fileURL = url
      values.fileType = type
    }
    scope.move(to: core[\.fileURL])
    armAutosave()
  }

  /// Somebody may have changed the item: compares, in the file access queue; any thread.
  func lookAgain() {
    let isNew = core.with { values in
      if values.phase == .closed, values.openings > 0 { values.lookIsDue = true }
      guard values.phase == .open, !values.lookIsPending else { return false }
      values.lookIsPending = true
      values.lookIsDue = false
      return true
    }
    guard isNew else { return }
    let reference = DocumentReference(self)
    core.files.enqueue { reference.document.look() }
  }

  /// Others' changes are heard of from now on: looks for those that came before; any thread.
  func nowWatched() {
    guard core[\.phase] == .open else { return lookAgain() }
    // An item that went before it was watched has no way to tell.
    let isGone = (try? itemPath()).map { (try? FileStatus(of: $0)) == nil } ?? false
    if isGone { closeBecauseGone { _ in } } else { lookAgain() }
  }

  private func look() {
    // No save starts by itself before this was looked at.
    defer { armAutosave() }
    let known = core.with { values -> ItemFingerprint? in
      values.lookIsPending = false
      guard values.phase == .open, !values.revertIsPending, !values.isGone else { return nil }
      return values.known
    }
    guard let known else { return }
    do {
      let path = try itemPath()
      let status = try FileStatus(of: path)
      guard try known.differs(from: status, at: path) else { return adoptStamps(status, path) }
      if hasUnsavedChanges {
        try keepUnderRead(path)
      } else {
        revertBecauseChanged()
      }
    } catch let error as SystemError where error.code == .noEntry {
      // It is gone: word of a move, a deletion or its return comes by itself.
    } catch {
      let reference = DocumentReference(self)
      setState(adding: .savingError)
      fail(error, on: .main) { _ in _ = reference }
    }
  }

  /// Somebody touched the item, and its contents are the same.
  private func adoptStamps(_ status: FileStatus, _ path: FilePath) {
    core.with { values in
      guard let known = values.known, known.status != status else { return }
      values.known = ItemFingerprint(status, known.contents)
      values.modified = status.modified
      values.modificationDate = status.modified.date
    }
  }

  /// Nobody writes the item while it is copied.
  private func keepUnderRead(_ path: FilePath) throws {
    let coordinator = NSFileCoordinator(filePresenter: self)
    core.files.beginWaiting()
    defer { core.files.endWaiting() }
    try coordinator.coordinate(readingItemAt: path.urlOnDisk, options: .withoutChanges) { url in
      core.files.endWaiting()
      guard let path = FilePath(url), let known = core[\.known] else { return }
      let status = try FileStatus(of: path)
      if try known.differs(from: status, at: path) { try keepAsConflict(path) }
    }
  }

  private func revertBecauseChanged() {
    core.with { $0.revertIsPending = true }
    let reference = DocumentReference(self)
    MainThread.run {
      let document = reference.document
      // Edited since: then it is a conflict after all.
      guard !document.hasUnsavedChanges else {
        document.core.with { $0.revertIsPending = false }
        return document.lookAgain()
      }
      document.core.with { values in
        values.isAutosaving = false
        values.isRevertingByItself = true
      }
      document.revert(toContentsOf: document.fileURL) { _ in
        reference.document.core.with { $0.revertIsPending = false }
      }
      document.core.with { $0.isRevertingByItself = false }
    }
  }
}
