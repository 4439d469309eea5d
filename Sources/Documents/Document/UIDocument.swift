@_exported public import FileCoordination
public import Foundation
import LinuxSystem

/// A document: the model of one file or file package, opened, edited and saved under coordination.
///
/// Subclass it and say how the model becomes contents and back
/// (``contents(forType:)``, ``load(fromContents:ofType:)``); tell it of changes
/// (``updateChangeCount(_:)``, or register undo actions with ``undoManager``). It saves by itself two
/// seconds after the last change, fifteen at most, saves when another program wants to read, reads
/// again when another program wrote, follows the file when it is moved, and closes when it is deleted.
/// Every operation calls its completion handler exactly once.
///
/// Two programs that edit one file never lose text: before a save, the file is compared with what was
/// last read of it. If somebody else wrote it meanwhile, their text becomes a conflict version
/// (`NSFileVersion`) and the document is ``State/inConflict``.
///
/// Not isolated to an actor, and not Sendable: use one from the main thread. Methods that are called
/// elsewhere say so. If the process dies, the file has its complete old or its complete new contents.
/// - Note: Differs from Apple: an override of an older, main-actor class that is annotated
///   `@MainActor` must drop the annotation or use `MainActor.assumeIsolated`.
///
/// Apple symbol: UIDocument.
open class UIDocument: NSObject, NSFilePresenter {
  let core: DocumentCore
  let undo = DocumentUndo()
  let scope = DocumentScope()

  /// When documents that are made from now on save by themselves.
  ///
  /// - Note: Not in Apple's interface.
  public static var autosavePolicy: AutosavePolicy {
    get { DocumentDefaults.policy.withLock { $0 } }
    set { DocumentDefaults.policy.withLock { $0 = newValue } }
  }

  /// A document for the item at a file URL, which need not exist; touches no file.
  ///
  /// Traps for a URL that is empty or no file URL. Apple symbol: init(fileURL:).
  public init(fileURL url: URL) {
    precondition(
      url.isFileURL && !url.path.isEmpty,
      "UIDocument.init(fileURL:) needs the URL of a file, not \(url.absoluteString)"
    )
    core = DocumentCore(url, Self.autosavePolicy)
    super.init()
    undo.document = WeakDocument(self)
  }

  deinit {
    undo.end()
    guard core[\.isRegistered] else { return }
    NSFileCoordinator.removeFilePresenter(self)
    if core[\.phase] == .open {
      DocumentDefaults.report("a document was released while it was open: \(core[\.fileURL].path)")
    }
  }

  // MARK: Attributes

  /// Where the document is; any thread.
  ///
  /// Changes when it is saved elsewhere, and when its item is moved; before the completion handler of
  /// an operation runs.
  open var fileURL: URL { core[\.fileURL] }

  /// What users call it: the file's name without a known extension.
  open var localizedName: String { defaultLocalizedName }

  /// The type of the item, from its name's extension; nil until it was opened or saved.
  open var fileType: String? { core[\.fileType] }

  /// When the item was last modified, as far as this document knows; nil until it was read or written.
  open var fileModificationDate: Date? {
    get { core[\.modificationDate] }
    set { core.with { $0.modificationDate = newValue } }
  }

  /// How the document is; any thread.
  ///
  /// ``stateChangedNotification`` is posted on the main queue after each change.
  open var documentState: State { core[\.state] }

  /// How far loading or saving is, while ``State/progressAvailable`` is set; else nil.
  open var progress: Progress? { core.with { Handed($0.progress) }.value }

  /// Why the last operation failed; nil after one that succeeded.
  ///
  /// - Note: Not in Apple's interface.
  public var lastError: (any Error)? { core.with { $0.lastError } }

  // MARK: Opening and closing

  /// Reads the document; returns at once.
  ///
  /// Calls ``read(from:)`` inside a coordinated read on the file access queue. A document that is open
  /// is not read again: the handler gets true.
  /// - Parameter completionHandler: Called once, on the queue that called; false if the document could
  ///   not be read (``lastError``) or was closed meanwhile.
  open func open(completionHandler: ((Bool) -> Void)? = nil) {
    startOpening(DocumentCompletion(completionHandler))
  }

  /// Saves what is unsaved, and lets go of the item; returns at once.
  ///
  /// Calls ``autosave(completionHandler:)``. If that fails, the document stays open.
  /// - Parameter completionHandler: Called once, on the main queue; false if unsaved changes could not
  ///   be saved. A document that is not open is closed with success.
  open func close(completionHandler: ((Bool) -> Void)? = nil) {
    startClosing(DocumentCompletion(completionHandler, on: .main), discardsChanges: false)
  }

  // MARK: Reading and writing, simple

  /// Takes the model from contents: `Data` of a file, a `FileWrapper` of a package.
  ///
  /// Called on the queue that called ``open(completionHandler:)``, else on the main queue. Does
  /// nothing unless overridden.
  open func load(fromContents contents: Any, ofType typeName: String?) throws {}

  /// The model as contents: `Data` for a file, a `FileWrapper` for a file or a package.
  ///
  /// Called by ``save(to:for:completionHandler:)`` before it returns, on its caller's queue. It must
  /// be a snapshot: it is written later, elsewhere. Throws 512 unless overridden.
  open func contents(forType typeName: String) throws -> Any {
    throw CocoaError(
      .fileWriteUnknown,
      userInfo: [
        NSLocalizedDescriptionKey: "\(type(of: self)) does not override contents(forType:)."
      ]
    )
  }

  // MARK: Editing

  /// The user must not edit now; called on the main queue, or by ``close(completionHandler:)``
  /// where that is called.
  ///
  /// Does nothing unless overridden.
  open func disableEditing() {}

  /// The user may edit again; called on the main queue.
  ///
  /// Does nothing unless overridden.
  open func enableEditing() {}

  // MARK: Changes

  /// Registers what can be undone; made when it is first read, and nil resets it.
  ///
  /// Groups that close, undos and redos change the change count by themselves.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  // Apple's type: nil can be set, and is never got.
  open var undoManager: UndoManager! {
    get { undo.manager }
    set { undo.replace(by: newValue) }
  }

  /// Whether the model has changes that are not on disk; any thread.
  open var hasUnsavedChanges: Bool { core.with { $0.changes.isDirty } }

  /// Says that the model changed; any thread.
  ///
  /// Starts the clock of autosaving.
  open func updateChangeCount(_ change: ChangeKind) { noteChange(change) }

  /// What tells later whether anything changed during a save; called at its start, by its caller.
  open func changeCountToken(for saveOperation: SaveOperation) -> Any {
    ChangeToken(core.with { $0.changes })
  }

  /// A save succeeded: what had changed before its start is saved; called on the main queue.
  open func updateChangeCount(withToken changeCountToken: Any, for saveOperation: SaveOperation) {
    settleChanges(changeCountToken)
  }

  // MARK: Saving

  /// Writes the document; returns at once, after the contents were taken.
  ///
  /// Saves are written one after the other, each with the contents of when it was called. With
  /// ``SaveOperation/forCreating`` an item that is there, other than an empty file, is an error (516).
  /// - Parameters:
  ///   - url: Where to; becomes ``fileURL``.
  ///   - saveOperation: Whether there is an item already.
  ///   - completionHandler: Called once, on the queue that called; false if it was not written
  ///     (``lastError``).
  open func save(
    to url: URL,
    for saveOperation: SaveOperation,
    completionHandler: ((Bool) -> Void)? = nil
  ) {
    startSaving(url, saveOperation, DocumentCompletion(completionHandler))
  }

  /// Saves if there are unsaved changes; called when it is time, on the main queue.
  ///
  /// An override may call the handler with false and save later; then it is asked again after 2, 4, 8
  /// and so on up to 60 seconds.
  /// - Parameter completionHandler: Called once, on the queue that called.
  open func autosave(completionHandler: ((Bool) -> Void)? = nil) {
    startAutosaving(DocumentCompletion(completionHandler))
  }

  /// The type that the next save writes; ``fileType`` unless overridden.
  ///
  /// If it differs, the item gets the extension of that type, and the old one goes.
  open var savingFileType: String? { fileType }

  /// The extension that names of a type have.
  open func fileNameExtension(forType typeName: String?, saveOperation: SaveOperation) -> String {
    defaultFileNameExtension(typeName)
  }

  /// Attributes that the saved item gets besides those that the old one has; called by the caller
  /// of a save.
  ///
  /// Keys of `FileManager`: permissions, owner and modification date have an effect.
  open func fileAttributesToWrite(
    to url: URL,
    for saveOperation: SaveOperation
  ) throws -> [AnyHashable: Any] {
    [FileAttributeKey.extensionHidden: true]
  }

  /// Writes contents so that the item has its complete old or complete new contents afterwards;
  /// called on the file access queue, inside a coordinated write.
  ///
  /// Call super when you override it.
  open func writeContents(
    _ contents: Any,
    andAttributes additionalFileAttributes: [AnyHashable: Any]? = nil,
    safelyTo url: URL,
    for saveOperation: SaveOperation
  ) throws {
    try writeSafely(contents, additionalFileAttributes, url, saveOperation)
  }

  /// Writes contents to a temporary place, where nothing is; called on the file access queue.
  ///
  /// `originalContentsURL` is the item that is about to be replaced; nil if there is none.
  ///
  /// Throws what ends the save.
  open func writeContents(
    _ contents: Any,
    to url: URL,
    for saveOperation: SaveOperation,
    originalContentsURL: URL?
  ) throws {
    try writePlainly(contents, url, saveOperation, originalContentsURL)
  }

  // MARK: Reading

  /// Reads the item and calls ``load(fromContents:ofType:)``; called on the file access queue, inside
  /// a coordinated read.
  open func read(from url: URL) throws { try readByDefault(url) }

  // MARK: File access

  /// Runs a block on the document's file access queue, after all file access that was asked for before
  /// and never beside another; any thread, returns at once.
  open func performAsynchronousFileAccess(_ block: @escaping () -> Void) {
    let block = Handed(block)
    core.files.enqueue { block.value() }
  }

  // MARK: Errors

  /// An operation failed; called on the queue of its caller.
  ///
  /// An override that does not call super calls ``finishedHandlingError(_:recovered:)``, at once if
  /// `userInteractionPermitted` is false; after 60 seconds the operation goes on as not recovered.
  open func handleError(_ error: any Error, userInteractionPermitted: Bool) {
    DocumentDefaults.report("\(fileURL.path): \(error.localizedDescription)")
    finishedHandlingError(error, recovered: false)
  }

  /// Ends the handling of an error; with `recovered` the operation is tried once more.
  ///
  /// Overrides call super.
  open func finishedHandlingError(_ error: any Error, recovered: Bool) {
    core.errors.finish(error, recovered: recovered)
  }

  /// The user cannot be asked any more: finish handling before this returns.
  open func userInteractionNoLongerPermitted(forError error: any Error) {
    finishedHandlingError(error, recovered: false)
  }

  // MARK: Reverting

  /// Throws unsaved changes away and reads again; returns at once.
  ///
  /// Editing is disabled meanwhile. Undo actions go. The URL becomes ``fileURL``. A document that is
  /// not open is not reverted: the handler gets false.
  /// The completion handler is called once, on the main queue.
  open func revert(toContentsOf url: URL, completionHandler: ((Bool) -> Void)? = nil) {
    startReverting(url, DocumentCompletion(completionHandler, on: .main))
  }

  // MARK: Activities

  /// What the user is doing with the document; never made by itself.
  ///
  /// Any thread.
  open var userActivity: NSUserActivity? {
    get { core.with { Handed($0.activity) }.value }
    set {
      let handed = Handed(newValue)
      core.with { $0.activity = handed.value }
    }
  }

  /// The activity is about to be used: puts the document's URL in.
  ///
  /// Overrides call super.
  open func updateUserActivityState(_ userActivity: NSUserActivity) {
    userActivity.addUserInfoEntries(from: [Self.userActivityURLKey: fileURL])
  }

  /// Takes what it needs from an activity; does nothing unless overridden.
  open func restoreUserActivityState(_ userActivity: NSUserActivity) {}

  // MARK: NSFilePresenter

  /// The item: ``fileURL``, or what that leads to if it is a link.
  ///
  /// Any thread.
  open var presentedItemURL: URL? { core.with { $0.presentedURL ?? $0.fileURL } }

  /// A serial queue of the document's own.
  open var presentedItemOperationQueue: OperationQueue { core.presenterQueue }

  /// Lets a reader in between two file accesses of the document.
  open func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    guard core[\.isRegistered] else { return reader(nil) }
    core.files.hold { release in reader(release) }
  }

  /// Lets a writer in between two file accesses of the document; afterwards looks what came of it.
  open func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    letWriterIn(writer)
  }

  /// Saves what is unsaved, because somebody is about to read.
  open func savePresentedItemChanges(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    saveForReader(completionHandler)
  }

  /// The item is being deleted, or replaced: closes without writing.
  ///
  /// What was unsaved is kept as a version of the item (`NSFileVersion`).
  open func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    closeBecauseGone(completionHandler)
  }

  /// Closes, so that the local copy can go; refuses if what is unsaved cannot be saved.
  open func accommodatePresentedItemEviction(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    closeForEviction(completionHandler)
  }

  /// Nothing is kept of single items in a package.
  open func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Follows the item.
  open func presentedItemDidMove(to newURL: URL) { follow(to: newURL) }

  /// Looks whether the item has other contents than were last read or written; then reads again, or,
  /// with unsaved changes, keeps the others' as a conflict version.
  open func presentedItemDidChange() { lookAgain() }

  /// Does nothing: items here are always complete.
  open func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}

  /// None: they have no effect here.
  open var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { [] }

  /// Looks whether the document is in conflict.
  open func presentedItemDidGain(_ version: NSFileVersion) { lookForConflicts() }
  /// Looks whether the document is still in conflict.
  open func presentedItemDidLose(_ version: NSFileVersion) { lookForConflicts() }
  /// Looks whether the document is still in conflict.
  open func presentedItemDidResolveConflict(_ version: NSFileVersion) { lookForConflicts() }

  /// As ``presentedItemDidChange()``.
  open func presentedSubitemDidAppear(at url: URL) { presentedItemDidChange() }
  /// As ``presentedItemDidChange()``.
  open func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { presentedItemDidChange() }
  /// As ``presentedItemDidChange()``.
  open func presentedSubitemDidChange(at url: URL) { presentedItemDidChange() }
  /// Does nothing.
  open func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
  /// Does nothing.
  open func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
  /// Does nothing.
  open func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}
  /// None.
  open var primaryPresentedItemURL: URL? { nil }
}
