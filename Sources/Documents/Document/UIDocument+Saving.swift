import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem
import SafeSaving
import VersionStore

extension UIDocument {
  /// One save from its call to its completion.
  // @unchecked because contents, attributes and token are handed from the caller's queue to the file
  // access queue, and the token on to the main queue; the application must not use them meanwhile.
  final class Save: @unchecked Sendable {
    let url: URL
    /// Where the document was when the save was called: if it moves meanwhile, the save follows.
    let urlThen: URL
    let operation: SaveOperation
    let completion: DocumentCompletion
    let isAutosave: Bool
    let contents: Any
    let token: Any
    let attributes: [AnyHashable: Any]
    let oldType: String?
    let newType: String?
    /// How often contents had been loaded when these were taken.
    let loads: Int

    init(
      _ url: URL,
      _ urlThen: URL,
      _ operation: SaveOperation,
      _ completion: DocumentCompletion,
      isAutosave: Bool,
      contents: Any,
      token: Any,
      attributes: [AnyHashable: Any],
      types: (old: String?, new: String?),
      loads: Int
    ) {
      self.loads = loads
      self.url = url
      self.urlThen = urlThen
      self.operation = operation
      self.completion = completion
      self.isAutosave = isAutosave
      self.contents = contents
      self.token = token
      self.attributes = attributes
      oldType = types.old
      newType = types.new
    }
  }

  // MARK: On the caller's queue

  func startSaving(_ url: URL, _ operation: SaveOperation, _ completion: DocumentCompletion) {
    let isAutosave = core.with { $0.isAutosaving && !$0.isClosing }
    undo.existing?.closeEventGroup()
    let token = changeCountToken(for: operation)
    let now = core[\.policy].clock.now
    core.with { $0.schedule.noteStart(at: now) }
    do {
      let types = (old: fileType, new: savingFileType)
      let save = Save(
        url,
        fileURL,
        operation,
        completion,
        isAutosave: isAutosave,
        contents: try contents(forType: types.new ?? types.old ?? typeName(of: url)),
        token: token,
        attributes: try fileAttributesToWrite(to: url, for: operation),
        types: types,
        loads: core[\.loads]
      )
      let isUrgent = core.with { values in
        values.saves += 1
        return values.answeringSaves > 0
      }
      enqueue(save, urgently: isUrgent, mayRetry: true)
    } catch {
      saveFailed(error, completion) { recovered in
        // Tried again as a whole: the contents could not be taken.
        completion(false)
        _ = recovered
      }
    }
  }

  private func enqueue(_ save: Save, urgently isUrgent: Bool, mayRetry: Bool) {
    let reference = DocumentReference(self)
    let job: @Sendable () -> Void = { reference.document.saveNow(save, mayRetry: mayRetry) }
    if isUrgent {
      core.files.enqueue(urgently: true, job)
    } else {
      performAsynchronousFileAccess(job)
    }
  }

  // MARK: In the file access queue

  private func saveNow(_ save: Save, mayRetry: Bool) {
    let wasClosed = core[\.phase] == .closed
    let opensHere = wasClosed && save.operation == .forCreating
    if opensHere { scope.begin(save.url) }
    do {
      let target = try target(of: save)
      let written = try write(save, to: target)
      let isElsewhere = target != core[\.fileURL]
      adopt(target, written.status, written.fingerprint)
      if opensHere { core.with { $0.phase = .open } }
      if opensHere || (isElsewhere && core[\.isRegistered]) { registerAnew() }
      let reference = DocumentReference(self)
      core.with { $0.lastError = nil }
      MainThread.run { reference.document.saveSucceeded(save, opensHere) }
      rememberHash(of: save.contents, written.status)
    } catch {
      if opensHere { scope.end() }
      let reference = DocumentReference(self)
      if let moved = moveToWritablePlace(save, error) {
        enqueue(moved, urgently: true, mayRetry: false)
        return
      }
      core.with { $0.saves -= 1 }
      if error is ItemIsGone {
        core.with { $0.lastError = CocoaError(.fileNoSuchFile) }
        save.completion(false)
        return
      }
      saveFailed(error, save.completion) { recovered in
        guard recovered, mayRetry else { return save.completion(false) }
        reference.document.core.with { $0.saves += 1 }
        reference.document.enqueue(save, urgently: false, mayRetry: false)
      }
    }
  }

  /// Where the save goes by now: the document may have moved, the type may have changed.
  private func target(of save: Save) throws -> URL {
    var url = save.url
    if save.operation == .forOverwriting, url == save.urlThen { url = core[\.fileURL] }
    if let new = save.newType, let old = save.oldType, new != old {
      let name = fileNameExtension(forType: new, saveOperation: save.operation)
      if name != url.pathExtension {
        url = url.deletingPathExtension()
        if !name.isEmpty { url = url.appendingPathExtension(name) }
      }
    }
    return url
  }

  /// What a save left on disk.
  private struct Written {
    let status: FileStatus
    let fingerprint: ItemFingerprint
  }

  private func write(_ save: Save, to url: URL) throws -> Written {
    let coordinator = NSFileCoordinator(filePresenter: self)
    core.files.beginWaiting()
    defer { core.files.endWaiting() }
    let replaces =
      save.operation == .forOverwriting && url != core[\.fileURL] && url != save.url
    if replaces { return try writeUnderNewName(save, url, coordinator) }
    let place = Self.presentedURL(of: url) ?? url
    return try coordinator.coordinate(writingItemAt: place) { place in
      core.files.endWaiting()
      return try writeInside(save, place, isOwn: save.operation == .forOverwriting)
    }
  }

  /// The type changed: the item gets its new name, and the old one goes.
  private func writeUnderNewName(
    _ save: Save,
    _ url: URL,
    _ coordinator: NSFileCoordinator
  ) throws -> Written {
    let old = core.with { $0.presentedURL ?? $0.fileURL }
    return try coordinator.coordinate(
      writingItemAt: old,
      options: .forMoving,
      writingItemAt: url,
      options: .forReplacing
    ) { old, new in
      core.files.endWaiting()
      try keepForeignText(at: old)
      let written = try writeInside(save, new, isOwn: false)
      if let path = FilePath(old) {
        // Already gone is as wished.
        do throws(SystemError) { try FileSystem.removeTree(path) } catch
          where error.code == .noEntry
        {}
      }
      coordinator.item(at: old, didMoveTo: new)
      return written
    }
  }

  private func writeInside(_ save: Save, _ url: URL, isOwn: Bool) throws -> Written {
    if isOwn {
      try refuseOutdated(save, url)
      try awaitWhereabouts(url, save)
      try keepForeignText(at: url)
    }
    core.with { $0.writing = DocumentCore.Writing(isAutosave: save.isAutosave) }
    defer { core.with { $0.writing = nil } }
    try writeContents(
      save.contents,
      andAttributes: save.attributes,
      safelyTo: url,
      for: save.operation
    )
    guard let path = FilePath(url) else { throw CocoaError(.fileWriteUnsupportedScheme) }
    // What is remembered is what the file system says now, however it rounds.
    let status = try core.with { $0.writing?.written } ?? FileStatus(of: path)
    let hash = status.kind == .directory ? try ContentHash(ofTree: path) : nil
    return Written(status: status, fingerprint: ItemFingerprint(status, hash))
  }

  /// Refuses to write contents over a text that was read after they were taken, as by a revert that was
  /// under way: the document has the text that was read, and what was to be saved is kept beside it.
  private func refuseOutdated(_ save: Save, _ url: URL) throws {
    guard save.loads != core[\.loads] else { return }
    try keepAsVersion(save.contents, of: url, isConflict: true)
    setState(adding: .inConflict)
    throw CocoaError(
      .fileWriteUnknown,
      userInfo: [
        NSLocalizedDescriptionKey:
          "“\(url.path)” was read again after this save began; what it was to write is kept as a "
          + "conflict version."
      ]
    )
  }

  private func rememberHash(of contents: Any, _ status: FileStatus) {
    let data =
      contents as? Data
      ?? (contents as? FileWrapper).flatMap { wrapper in
        wrapper.isRegularFile ? wrapper.regularFileContents : nil
      }
    guard let data else { return }
    let reference = WeakDocument(self)
    core.files.enqueue(urgently: true) { reference.document?.fillHash(of: data, status) }
  }

  /// Waits, half a second at most, for word of where an item went that is not there any more.
  ///
  /// - Throws: ``ItemIsGone`` if it moved (the next save goes there) or the document was closed because
  ///   it was deleted; for an explicit save nothing if nothing was heard: then it is made anew.
  private func awaitWhereabouts(_ url: URL, _ save: Save) throws {
    guard let path = FilePath(url), core.with({ $0.known != nil && $0.phase == .open }) else {
      if save.isAutosave, core[\.isGone] { throw ItemIsGone() }
      return
    }
    let limit = MonotonicInstant.now + .milliseconds(500)
    while (try? FileStatus(of: path)) == nil {
      let now = core.with { ($0.phase, $0.presentedURL ?? $0.fileURL) }
      if now.0 == .closed || now.1 != url { throw ItemIsGone() }
      if MonotonicInstant.now >= limit {
        if save.isAutosave { throw ItemIsGone() }
        return
      }
      ShortPause.run(until: limit)
    }
  }

  /// If somebody else wrote the item since it was last read or written here, keeps what they wrote as
  /// a conflict version; under the write claim.
  private func keepForeignText(at url: URL) throws {
    guard let path = FilePath(url), let known = core[\.known] else { return }
    let status: FileStatus
    do throws(SystemError) { status = try FileStatus(of: path) } catch
      where error.code == .noEntry
    { return }
    guard try known.differs(from: status, at: path) else { return }
    try keepAsConflict(path)
  }

  /// Keeps what is on disk as a conflict version; the document has seen it then.
  func keepAsConflict(_ path: FilePath) throws {
    var addition = VersionStore.Addition()
    addition.isConflict = true
    let seen = try ItemFingerprint(of: path)
    let item = try ItemResolver.shared.canonical(path, followingLink: false)
    let version: StoredVersion
    do throws(VersionStoreError) {
      version = try NSFileVersion.keep(item, contentsOf: path, addition)
    } catch {
      throw NSError.file(
        error.cause ?? SystemError("sqlite3_step", .inputOutput),
        at: path.url(),
        isWriting: true,
        "\(path) was changed by another program, and what it wrote could not be kept "
          + "(\(error)); nothing was overwritten, and the unsaved changes are still unsaved."
      )
    }
    core.with { values in
      let base = values.unmerged?.base ?? values.known
      values.unmerged = DocumentCore.Unmerged(base: base, version: version.id)
      values.known = seen
    }
    setState(adding: .inConflict)
    // Another program may have settled it since it was stored, and word of that may have come before this.
    lookForConflicts()
  }

  // MARK: The steps that applications override

  func writeSafely(
    _ contents: Any,
    _ attributes: [AnyHashable: Any]?,
    _ url: URL,
    _ operation: SaveOperation
  ) throws {
    guard let path = FilePath(url) else { throw CocoaError(.fileWriteUnsupportedScheme) }
    do {
      var options = SafeReplacement.Options()
      options.mustBeNew = operation == .forCreating
      let outcome = try SafeReplacement(of: path, options).perform(
        write: { new, old in
          try writeContents(
            contents,
            to: new.url(isDirectory: false),
            for: operation,
            originalContentsURL: operation == .forOverwriting ? old?.urlOnDisk : nil
          )
        },
        adjust: { file in try SavedAttributes(attributes).apply(to: file) }
      )
      core.with { $0.writing?.written = outcome.status }
    } catch { throw SaveFailure.nsError(error, at: url) }
  }

  func writePlainly(
    _ contents: Any,
    _ url: URL,
    _ operation: SaveOperation,
    _ originalContentsURL: URL?
  ) throws {
    switch contents {
    case let data as Data:
      guard let path = FilePath(url) else { throw CocoaError(.fileWriteUnsupportedScheme) }
      do throws(SystemError) { try NewFile.write(data, to: path) } catch {
        throw SaveFailure.nsError(error, at: url)
      }
    case let wrapper as FileWrapper:
      let isReplacing = originalContentsURL != nil
      try wrapper.write(
        to: url,
        options: isReplacing ? [.withNameUpdating, .leavingRootPrivate] : .withNameUpdating,
        originalContentsURL: originalContentsURL
      )
    default:
      throw CocoaError(
        .fileWriteUnknown,
        userInfo: [
          NSLocalizedDescriptionKey:
            "contents(forType:) must return Data or a FileWrapper, not \(type(of: contents))."
        ]
      )
    }
  }

  // MARK: Afterwards

  private func saveSucceeded(_ save: Save, _ opensHere: Bool) {
    updateChangeCount(withToken: save.token, for: save.operation)
    core.with { values in
      values.saves -= 1
      if !values.changes.isDirty { values.schedule.noteClean() }
    }
    setState(removing: opensHere ? [.savingError, .closed] : [.savingError])
    if opensHere { lookForConflicts() }
    save.completion.callNow(true)
    armAutosave()
  }

  private func saveFailed(
    _ error: any Error,
    _ completion: DocumentCompletion,
    then: @escaping @Sendable (Bool) -> Void
  ) {
    let (policy, wasOpen) = core.with { ($0.policy, $0.phase == .open) }
    let now = policy.clock.now
    core.with { $0.schedule.noteFailure(at: now, policy) }
    setState(adding: .savingError)
    let reference = DocumentReference(self)
    fail(error, on: completion.queue) { recovered in
      then(recovered)
      if wasOpen { reference.document.armAutosave() }
    }
  }

  /// A save of a document in a place that cannot be written, for another place; nil if there is none.
  private func moveToWritablePlace(_ save: Save, _ error: any Error) -> Save? {
    guard save.operation == .forOverwriting, let choose = writableLocationProvider else {
      return nil
    }
    let code = (error as? CocoaError)?.code ?? CocoaError.Code(rawValue: (error as NSError).code)
    guard [.fileWriteNoPermission, .fileWriteVolumeReadOnly].contains(code),
      let url = choose(core[\.fileURL])
    else { return nil }
    let old = core[\.fileURL]
    let reference = DocumentReference(self)
    let completion = DocumentCompletion(
      { success in
        save.completion(success)
        guard success else { return }
        reference.document.presentedItemOperationQueue.addOperation {
          NotificationCenter.default.post(
            name: Self.didMoveToWritableLocationNotification,
            object: reference.document,
            userInfo: [Self.didMoveToWritableLocationOldURLKey: old]
          )
        }
      },
      on: save.completion.queue
    )
    return Save(
      url,
      old,
      .forCreating,
      completion,
      isAutosave: save.isAutosave,
      contents: save.contents,
      token: save.token,
      attributes: save.attributes,
      types: (save.oldType, save.newType),
      loads: save.loads
    )
  }

  func settleChanges(_ token: Any) {
    // A token of a subclass's own means nothing to us: what it did not hand on counts as unchanged.
    guard let token = token as? ChangeToken else { return updateChangeCount(.cleared) }
    let isUnchanged = core.with { $0.changes.generation == token.generation }
    if isUnchanged { return updateChangeCount(.cleared) }
    core.with { $0.changes.clear(asOf: token.count) }
  }
}

/// The item of a document went away while it was being saved, and must not come back there.
struct ItemIsGone: Error {}
