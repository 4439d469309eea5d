import FileCoordination
import Foundation
import LinuxSystem

extension UIDocument {
  func startOpening(_ completion: DocumentCompletion) {
    core.with { values in
      values.openings += 1
      values.openIsCancelled = false
    }
    let reference = DocumentReference(self)
    performAsynchronousFileAccess { reference.document.openNow(completion, mayRetry: true) }
  }

  /// In the file access queue.
  private func openNow(_ completion: DocumentCompletion, mayRetry: Bool) {
    if core[\.phase] == .open { return finishOpening(completion, true) }
    if core[\.openIsCancelled] {
      core.with { $0.lastError = CocoaError(.userCancelled) }
      return finishOpening(completion, false)
    }
    scope.begin(core[\.fileURL])
    do {
      let path = try resolvedForOpening()
      // Registered before the item is read: no change can slip through between.
      register()
      let before = core.with { values in
        values.loadingQueue = completion.queue
        values.justRead = nil
        return values.changes
      }
      var status: FileStatus?
      let coordinator = NSFileCoordinator(filePresenter: self)
      core.files.beginWaiting()
      defer { core.files.endWaiting() }
      try coordinator.coordinate(readingItemAt: path.urlOnDisk) { url in
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
      if core[\.openIsCancelled] { throw CocoaError(.userCancelled) }
      adopt(core[\.fileURL], status, core[\.justRead])
      core.with { values in
        values.loadingQueue = nil
        values.lastError = nil
        values.phase = .open
        // What `load` itself changed, to bring an old model up to date, is unsaved.
        values.changes.clear(asOf: before)
      }
      refreshConflicts()
      let post = stateChange(removing: [.closed, .savingError])
      core.with { $0.openings -= 1 }
      completion(true, before: post)
      noteDirtyAfterLoading()
      // What was heard of while it was being opened.
      if core.with({ $0.lookIsDue }) { lookAgain() }
    } catch {
      openFailed(error, completion, mayRetry: mayRetry)
    }
  }

  private func openFailed(_ error: any Error, _ completion: DocumentCompletion, mayRetry: Bool) {
    core.with { $0.loadingQueue = nil }
    deregister()
    scope.end()
    let error = SaveFailure.nsError(error, at: core[\.fileURL], isWriting: false)
    if core[\.openIsCancelled] {
      core.with { $0.lastError = error }
      return finishOpening(completion, false)
    }
    let reference = DocumentReference(self)
    fail(error, on: completion.queue) { recovered in
      let document = reference.document
      guard recovered, mayRetry else { return document.finishOpening(completion, false) }
      document.performAsynchronousFileAccess {
        reference.document.openNow(completion, mayRetry: false)
      }
    }
  }

  private func finishOpening(_ completion: DocumentCompletion, _ success: Bool) {
    core.with { $0.openings -= 1 }
    completion(success)
  }

  /// The item itself; a dangling link is an item that is missing.
  private func resolvedForOpening() throws(SystemError) -> FilePath {
    let url = core[\.fileURL]
    guard let path = FilePath(url) else { throw SystemError("openat", .invalid, on: "\(url)") }
    do throws(SystemError) {
      _ = try FileStatus(of: path, followingLink: true)
    } catch {
      // What is missing in a provider's folder is delivered by the read, or fails there.
      guard error.code == .noEntry, ProvidedItems.mayBeProvided(url) else { throw error }
    }
    let presented = Self.presentedURL(of: url)
    core.with { $0.presentedURL = presented }
    return presented.flatMap { FilePath($0) } ?? path
  }

  /// Edits that `load` made begin to wait for their save when the document is open.
  private func noteDirtyAfterLoading() {
    let now = core[\.policy].clock.now
    core.with { values in
      if values.changes.isDirty { values.schedule.noteChange(at: now) }
    }
    armAutosave()
  }

  // MARK: Reading

  /// Reads the item and has the model loaded on the queue of whoever asked.
  func readByDefault(_ url: URL) throws {
    guard let path = FilePath(url) else { throw CocoaError(.fileReadUnsupportedScheme) }
    let contents: Any
    var seen: ItemFingerprint
    do throws(SystemError) {
      seen = try ItemFingerprint(of: path)
      if seen.status.kind == .directory {
        contents = path
      } else {
        let (data, status) = try NewFile.read(path)
        seen = ItemFingerprint(status)
        contents = data
      }
    } catch { throw SaveFailure.nsError(error, at: url, isWriting: false) }
    let model: Any = contents is FilePath ? try FileWrapper(url: url) : contents
    core.with { $0.justRead = seen }
    try loadInTurn(model, typeName(of: url))
    if let data = contents as? Data { rememberHash(of: data, seen) }
  }

  /// Afterwards, off the way: what the contents were, for when stamps alone do not tell.
  private func rememberHash(of data: Data, _ seen: ItemFingerprint) {
    let reference = WeakDocument(self)
    core.files.enqueue(urgently: true) {
      guard let document = reference.document else { return }
      document.fillHash(of: data, seen.status)
    }
  }

  func fillHash(of data: Data, _ status: FileStatus) {
    let hash = ContentHash(of: data)
    core.with { values in
      guard values.known?.status == status else { return }
      values.known?.fill(hash)
    }
  }

  /// Calls `load` where it must be called, and waits for it there.
  private func loadInTurn(_ contents: Any, _ type: String) throws {
    let queue = core[\.loadingQueue] ?? .main
    if queue.isHere { return try loadNow(contents, type) }
    let work = Handed((self, contents))
    let outcome = LoadOutcome()
    queue.run {
      let (document, contents) = work.value
      outcome.finish(Result { try document.loadNow(contents, type) })
    }
    try outcome.wait(url: fileURL)
  }

  private func loadNow(_ contents: Any, _ type: String) throws {
    let isEdited = core.with { values in
      if values.keepsEdits, values.changes.isDirty || values.saves > 0 { return true }
      values.loads += 1
      return false
    }
    if isEdited { throw EditedMeanwhile() }
    try load(fromContents: contents, ofType: type)
  }
}

/// What `load` did on another queue.
private final class LoadOutcome: Sendable {
  private let done = DispatchSemaphore(value: 0)
  private let result = DocumentOutcome()

  func finish(_ outcome: Result<Void, any Error>) {
    result.set(outcome)
    done.signal()
  }

  /// Blocks the calling thread, which is one of ours, for as long as `load` takes.
  func wait(url: URL) throws {
    if done.wait(timeout: .now() + .seconds(10)) == .timedOut {
      DocumentDefaults.report(
        "\(url.path) is being opened, but its queue has not run load(fromContents:) for 10 s: "
          + "is it the main queue, and is the main thread blocked?"
      )
      done.wait()
    }
    try result.get()
  }
}
