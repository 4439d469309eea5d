import FileCoordination
import Foundation
import LinuxSystem

extension UIDocument {
  func startReverting(_ url: URL, _ completion: DocumentCompletion) {
    guard core[\.phase] == .open else { return completion(false) }
    let reference = DocumentReference(self)
    let queue = CallerQueue.current
    let isAutomatic = core[\.isRevertingByItself]
    let begin: @Sendable () -> Void = {
      let document = reference.document
      document.lockEditing()
      // The edits of the present event are thrown away with the others, not counted afterwards.
      document.undo.existing?.closeEventGroup()
      document.performAsynchronousFileAccess {
        reference.document.revertNow(url, queue, completion, isAutomatic, mayRetry: true)
      }
    }
    if OperationQueue.isMainHere { begin() } else { MainThread.run(begin) }
  }

  /// In the file access queue.
  private func revertNow(
    _ url: URL,
    _ queue: CallerQueue,
    _ completion: DocumentCompletion,
    _ isAutomatic: Bool,
    mayRetry: Bool
  ) {
    guard core[\.phase] == .open else { return revertEnded(completion, false) }
    let oldURL = core[\.fileURL]
    do {
      let before = core.with { values in
        values.loadingQueue = queue
        values.keepsEdits = isAutomatic
        values.justRead = nil
        // What comes from now on is looked at anew.
        values.revertIsPending = false
        return values.changes
      }
      var status: FileStatus?
      let place = Self.presentedURL(of: url) ?? url
      let coordinator = NSFileCoordinator(filePresenter: self)
      core.files.beginWaiting()
      defer { core.files.endWaiting() }
      try coordinator.coordinate(readingItemAt: place) { url in
        core.files.endWaiting()
        try read(from: url)
        guard let path = FilePath(url) else { return }
        status = try FileStatus(of: path)
        if core.with({ $0.justRead == nil }) {
          let seen = try ItemFingerprint(of: path)
          core.with { $0.justRead = seen }
        }
      }
      guard let status else { throw CocoaError(.fileReadUnknown) }
      adopt(url, status, core[\.justRead])
      core.with { values in
        values.loadingQueue = nil
        values.keepsEdits = false
        values.lastError = nil
        values.changes.clear(asOf: before)
        if !values.changes.isDirty { values.schedule.noteClean() }
      }
      if url != oldURL { registerAnew() }
      setState(removing: .savingError)
      undo.existing?.removeAllActions()
      revertEnded(completion, true)
    } catch is EditedMeanwhile {
      // Then there are two texts: that is a conflict, and neither is thrown away.
      core.with { values in
        values.loadingQueue = nil
        values.keepsEdits = false
      }
      revertEnded(completion, false)
      lookAgain()
    } catch {
      core.with { values in
        values.loadingQueue = nil
        values.keepsEdits = false
      }
      let error = SaveFailure.nsError(error, at: url, isWriting: false)
      setState(adding: .savingError)
      let reference = DocumentReference(self)
      fail(error, on: .main) { recovered in
        let document = reference.document
        guard recovered, mayRetry else { return document.revertEnded(completion, false) }
        document.performAsynchronousFileAccess {
          reference.document.revertNow(url, queue, completion, isAutomatic, mayRetry: false)
        }
      }
    }
  }

  private func revertEnded(_ completion: DocumentCompletion, _ success: Bool) {
    let reference = DocumentReference(self)
    MainThread.run {
      if reference.document.core[\.phase] == .open { reference.document.unlockEditing() }
      completion(success)
    }
  }
}

/// The document was edited while it was about to be read again by itself.
struct EditedMeanwhile: Error {}
