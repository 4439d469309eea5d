import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem
import VersionStore

extension UIDocument {
  /// Closes without saving: what is unsaved is thrown away.
  ///
  /// - Parameter completionHandler: Called once, with true, on the main queue.
  /// - Note: Not in Apple's interface.
  public func closeDiscardingChanges(completionHandler: ((Bool) -> Void)? = nil) {
    startClosing(DocumentCompletion(completionHandler, on: .main), discardsChanges: true)
  }

  func startClosing(_ completion: DocumentCompletion, discardsChanges: Bool) {
    let (phase, openings) = core.with { values in
      if values.openings > 0 { values.openIsCancelled = true }
      return (values.phase, values.openings)
    }
    let reference = DocumentReference(self)
    if phase == .closed {
      guard openings > 0 else { return completion(true) }
      // Behind the opening, which ends as cancelled, or was through already.
      performAsynchronousFileAccess {
        MainThread.run {
          reference.document.startClosing(completion, discardsChanges: discardsChanges)
        }
      }
      return
    }
    core.with { $0.isClosing = true }
    lockEditing()
    if discardsChanges { return finishClosing(completion) }
    saveAndClose(completion, triesLeft: 3)
  }

  private func saveAndClose(_ completion: DocumentCompletion, triesLeft: Int) {
    let reference = DocumentReference(self)
    autosave { success in
      let document = reference.document
      guard success || document.core[\.phase] == .closed else {
        document.core.with { $0.isClosing = false }
        CallerQueue.main.run {
          reference.document.unlockEditing()
          completion(false)
        }
        return
      }
      // What was changed while the save ran is saved as well.
      if document.hasUnsavedChanges, triesLeft > 0, document.core[\.phase] == .open {
        CallerQueue.main.run {
          reference.document.saveAndClose(completion, triesLeft: triesLeft - 1)
        }
        return
      }
      document.finishClosing(completion)
    }
  }

  /// After all file access that was asked for before.
  private func finishClosing(_ completion: DocumentCompletion) {
    let reference = DocumentReference(self)
    let job: @Sendable () -> Void = {
      reference.document.letGo()
      completion(true)
    }
    // Who asks the document to close has its item already.
    if core.with({ $0.answeringSaves > 0 }) {
      core.files.enqueue(urgently: true, job)
    } else {
      performAsynchronousFileAccess(job)
    }
  }

  /// The document is closed from now on: no presenter, no timers, no scope.
  ///
  /// Any thread.
  func letGo() {
    let wasOpen = core.with { values in
      defer {
        values.phase = .closed
        values.isClosing = false
        values.editingLocks = 0
        values.schedule = AutosaveSchedule()
        values.changes.note(.cleared)
        values.known = nil
        values.unmerged = nil
        values.lookIsPending = false
        values.lookIsDue = false
        values.revertIsPending = false
      }
      return values.phase == .open
    }
    deregister()
    guard wasOpen else { return }
    scope.end()
    setState(adding: .closed, removing: [.editingDisabled, .inConflict, .savingError])
  }

  // MARK: The item goes

  func closeBecauseGone(_ completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    let isDirty = core.with { values -> Bool? in
      guard values.phase == .open else { return nil }
      values.isGone = true
      values.isClosing = true
      return values.changes.isDirty
    }
    guard let isDirty else { return completionHandler(nil) }
    guard isDirty else {
      completionHandler(nil)
      return letGo()
    }
    // The model may only be asked on the main queue.
    let reference = DocumentReference(self)
    MainThread.run {
      let document = reference.document
      guard document.core[\.phase] == .open else { return completionHandler(nil) }
      document.undo.existing?.closeEventGroup()
      let text = Result {
        try document.contents(forType: document.savingFileType ?? document.fileType ?? "")
      }
      let handed = Handed(text)
      document.core.housekeeping.enqueue {
        reference.document.keepUnsaved(handed.value)
        completionHandler(nil)
        reference.document.letGo()
      }
    }
  }

  /// Keeps what was not saved of an item that is being deleted, as a version of it.
  private func keepUnsaved(_ contents: Result<Any, any Error>) {
    do {
      let url = core.with { $0.presentedURL ?? $0.fileURL }
      try keepAsVersion(contents.get(), of: url, isConflict: false)
    } catch {
      core.with { $0.lastError = error }
      DocumentDefaults.report(
        "\(fileURL.path) was deleted, and its unsaved changes could not be kept: \(error)"
      )
    }
  }

  /// Keeps contents that are in no file as a version of an item.
  func keepAsVersion(_ contents: Any, of url: URL, isConflict: Bool) throws {
    guard let path = FilePath(url) else { return }
    let item = try ItemResolver.shared.canonical(path, followingLink: false)
    let store = try VersionStore.shared()
    var addition = VersionStore.Addition()
    addition.isConflict = isConflict
    var failure: (any Error)?
    do {
      let version = try store.add(
        to: item,
        addition,
        write: { new throws(SystemError) in
          do {
            try writePlainly(contents, new.url(), .forCreating, nil)
          } catch {
            failure = error
            throw SystemError("write", .inputOutput).about(new)
          }
        }
      )
      NSFileVersion.announceGain(version, store)
    } catch { throw failure ?? error }
  }

  func closeForEviction(_ completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    let reference = DocumentReference(self)
    core.with { $0.answeringSaves += 1 }
    MainThread.run {
      reference.document.close { success in
        let document = reference.document
        document.core.with { $0.answeringSaves -= 1 }
        completionHandler(success ? nil : document.lastError ?? CocoaError(.fileWriteUnknown))
      }
    }
  }
}
