import FileCoordination
public import Foundation
import LinuxSystem

extension UIDocument {
  /// Changes the state's bits and posts the notification if that changed anything.
  func setState(adding: State = [], removing: State = []) {
    if let post = stateChange(adding: adding, removing: removing) { MainThread.run(post) }
  }

  /// The same for who has more to do on the main thread: what posts the notification, if anything
  /// changed.
  func stateChange(adding: State = [], removing: State = []) -> (@Sendable () -> Void)? {
    guard core.setState(adding: adding, removing: removing) else { return nil }
    let reference = DocumentReference(self)
    return {
      let error = reference.document.lastError
      NotificationCenter.default.post(
        name: Self.stateChangedNotification,
        object: reference.document,
        userInfo: error.map { [Self.lastErrorKey: $0] }
      )
    }
  }

  /// Disables editing, or says once more that it is: as many calls of ``unlockEditing()`` end it.
  func lockEditing() {
    let isFirst = core.with { values in
      guard values.phase == .open else { return false }
      values.editingLocks += 1
      return values.editingLocks == 1
    }
    guard isFirst else { return }
    setState(adding: .editingDisabled)
    disableEditing()
  }

  func unlockEditing() {
    let isLast = core.with { values in
      // Closed meanwhile.
      guard values.editingLocks > 0 else { return false }
      values.editingLocks -= 1
      return values.editingLocks == 0
    }
    guard isLast else { return }
    setState(removing: .editingDisabled)
    enableEditing()
    armAutosave()
  }

  /// An operation failed: the application is told, on the queue of its caller, and when it is done
  /// `then` runs there.
  func fail(
    _ error: any Error,
    on queue: CallerQueue,
    then: @escaping @Sendable (_ recovered: Bool) -> Void
  ) {
    let error = error as NSError
    core.with { $0.lastError = error }
    let reference = DocumentReference(self)
    queue.run {
      let document = reference.document
      document.core.errors.begin(error) { recovered in queue.run { then(recovered) } }
      document.handleError(error, userInteractionPermitted: true)
    }
  }

  // MARK: Names and types

  var defaultLocalizedName: String {
    let url = fileURL
    let name = url.lastPathComponent
    let isKnown = DocumentTypeNames.isKnown(url.pathExtension)
    return isKnown ? url.deletingPathExtension().lastPathComponent : name
  }

  func typeName(of url: URL) -> String {
    if let resolver = UIDocument.fileTypeResolver, let type = resolver(url) { return type }
    return DocumentTypeNames.type(of: url)
  }

  func defaultFileNameExtension(_ type: String?) -> String {
    guard let type else { return fileURL.pathExtension }
    if type == typeName(of: fileURL) { return fileURL.pathExtension }
    return DocumentTypeNames.fileExtension(of: type) ?? fileURL.pathExtension
  }

  /// Says what the type of an item is, where the built-in table does not; nil for the table's answer.
  ///
  /// - Note: Not in Apple's interface.
  public static var fileTypeResolver: (@Sendable (URL) -> String?)? {
    get { DocumentTypeNames.resolver.withLock { $0 }?.type }
    set {
      DocumentTypeNames.resolver.withLock { $0 = newValue.map(DocumentTypeNames.Resolver.init) }
    }
  }

  // MARK: The item on disk

  /// Takes over what is known of an item after it was read or written.
  func adopt(_ url: URL, _ status: FileStatus, _ fingerprint: ItemFingerprint?) {
    scope.move(to: url)
    let presented = Self.presentedURL(of: url)
    let type = typeName(of: url)
    core.with { values in
      values.fileURL = url
      values.presentedURL = presented
      values.fileType = type
      values.modified = status.modified
      values.modificationDate = status.modified.date
      if let fingerprint {
        values.known = fingerprint
        values.unmerged = nil
      }
      values.isGone = false
    }
  }

  /// What a link leads to; nil for an item that is none.
  static func presentedURL(of url: URL) -> URL? {
    // An item that cannot be looked at is presented under its own name.
    guard let path = FilePath(url), (try? FileStatus(of: path))?.kind == .link,
      let target = try? FileSystem.realPath(path)
    else { return nil }
    return target.urlOnDisk
  }

  /// Makes the document hear of what others do to its item, and no more.
  func register() {
    let isNew = core.with { values in
      defer { values.isRegistered = true }
      return !values.isRegistered
    }
    guard isNew else { return }
    // Reading does not wait for the watch; what happened before it was there is found by looking.
    let document = WeakDocument(self)
    NSFileCoordinator.addFilePresenter(self) { document.document?.nowWatched() }
  }

  func deregister() {
    let was = core.with { values in
      defer { values.isRegistered = false }
      return values.isRegistered
    }
    guard was else { return }
    NSFileCoordinator.removeFilePresenter(self)
    core.files.releaseAll()
  }

  /// Registered anew where the item is another than before, so that its place is watched.
  func registerAnew() {
    deregister()
    register()
  }

  /// The path that is read and written: links resolved.
  func itemPath() throws(SystemError) -> FilePath {
    let url = core.with { $0.presentedURL ?? $0.fileURL }
    guard let path = FilePath(url) else { throw SystemError("openat", .invalid, on: "\(url)") }
    return path
  }

  // MARK: Conflicts

  /// Sets ``State/inConflict`` by what the store of versions says; blocks for file operations.
  func refreshConflicts() {
    guard core[\.phase] == .open else { return }
    let (url, noted) = core.with { ($0.presentedURL ?? $0.fileURL, $0.unmerged?.version) }
    let isInConflict = !(NSFileVersion.unresolvedConflictVersionsOfItem(at: url) ?? []).isEmpty
    if isInConflict { return setState(adding: .inConflict) }
    // What another program decided, it decided without the text that is unsaved here: that text is
    // still based on what was there before, and stands against what is there now.
    let isUndecided = core.with { values -> Bool? in
      // Noted after the store was asked: who noted it has it asked again.
      guard values.unmerged?.version == noted else { return nil }
      guard let unmerged = values.unmerged else { return false }
      values.unmerged = nil
      guard values.changes.isDirty, !SettledConflicts.contains(unmerged.version) else {
        return false
      }
      values.known = unmerged.base
      return true
    }
    guard let isUndecided else { return }
    setState(removing: .inConflict)
    // Afterwards: what is found then is a conflict again.
    if isUndecided { lookAgain() }
    armAutosave()
  }

  func lookForConflicts() {
    let reference = WeakDocument(self)
    core.housekeeping.enqueue { reference.document?.refreshConflicts() }
  }
}
