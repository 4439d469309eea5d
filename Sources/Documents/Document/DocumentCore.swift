import FileCoordination
import Foundation
import LinuxSystem
import VersionStore

/// Everything that a document knows, safe to ask from any thread.
///
/// Decisions are made under the lock and carried out outside: nothing of the application's is called
/// while it is held.
final class DocumentCore: Sendable {
  /// Where in its life a document is.
  enum Phase: Sendable { case closed, open }

  // @unchecked because everything in it is only reached under the lock of the core; the error is
  // handed out as it came, and errors are not changed after they were made.
  struct Values: @unchecked Sendable {
    var fileURL: URL
    /// The item itself, where ``fileURL`` is a link.
    var presentedURL: URL?
    var fileType: String?
    var modified: FileStatus.Time?
    var modificationDate: Date?
    var state: UIDocument.State = .closed
    var progress: Progress?
    var phase = Phase.closed
    var isRegistered = false
    var lastError: (any Error)?

    // What is under way.
    var openings = 0
    var openIsCancelled = false
    var isClosing = false
    var saves = 0
    var lookIsPending = false
    /// Something was heard of the item while it was being opened.
    var lookIsDue = false
    var revertIsPending = false
    /// The revert that is being called for is the document's own idea, not the application's.
    var isRevertingByItself = false
    /// How often contents were loaded.
    var loads = 0
    var answeringSaves = 0
    /// Who wants editing disabled just now: reverts, closing, writers outside.
    var editingLocks = 0

    // Changes.
    var changes = ChangeCount()
    var schedule = AutosaveSchedule()
    var policy: AutosavePolicy
    var known: ItemFingerprint?
    var unmerged: Unmerged?
    /// The item's fingerprint as the default `read(from:)` saw it while it read.
    var justRead: ItemFingerprint?
    var isAutosaving = false
    var savedTypes: (old: String?, new: String?)?
    /// Where `load` runs while an item is read.
    var loadingQueue: CallerQueue?
    /// Whether what is unsaved when contents are about to be loaded ends that.
    var keepsEdits = false
    /// What the save that runs in the file access queue found.
    var writing: Writing?
    var isGone = false
    var activity: NSUserActivity?
    var writableLocation: (@Sendable (URL) -> URL?)?
  }

  /// What others wrote under this document's unsaved text, kept as a conflict version.
  struct Unmerged: Sendable {
    /// What the unsaved text is based on.
    let base: ItemFingerprint?
    let version: StoredVersion.ID
  }

  /// The save that runs now, for the methods of its steps.
  struct Writing: Sendable {
    var isAutosave: Bool
    var written: FileStatus?
  }

  let files = FileAccessQueue()
  /// For what needs files but not the item: the store of versions.
  let housekeeping = FileAccessQueue()
  let errors = ErrorHandling()
  private let values: Mutex<Values>
  private let queue = Mutex<OperationQueue?>(nil)

  init(_ url: URL, _ policy: AutosavePolicy) {
    values = Mutex(Values(fileURL: url, policy: policy))
  }

  func with<R: Sendable>(_ body: (inout Values) -> R) -> R {
    values.withLock { values in body(&values) }
  }

  subscript<R: Sendable>(_ path: KeyPath<Values, R>) -> R {
    values.withLock { $0[keyPath: path] }
  }

  /// Made when it is first asked for: a document that is never opened has none.
  var presenterQueue: OperationQueue {
    queue.withLock { queue in
      if let queue { return queue }
      let made = OperationQueue()
      made.maxConcurrentOperationCount = 1
      made.name = "UIDocument.presenter"
      queue = made
      return made
    }
  }

  /// Changes the state's bits; says whether that changed anything.
  func setState(adding: UIDocument.State = [], removing: UIDocument.State = []) -> Bool {
    values.withLock { values in
      let old = values.state
      values.state.subtract(removing)
      values.state.formUnion(adding)
      return values.state != old
    }
  }
}

/// A document on its way between queues.
// @unchecked because a document's own state is locked, and methods that applications override are
// called on the queue that is documented for each.
struct DocumentReference: @unchecked Sendable {
  let document: UIDocument
  init(_ document: UIDocument) { self.document = document }
}

/// The same without keeping it alive.
// @unchecked because the reference is set once and read atomically by the runtime; for the rest as
// DocumentReference.
final class WeakDocument: @unchecked Sendable {
  weak var document: UIDocument?
  init(_ document: UIDocument) { self.document = document }
}

/// A value that is handed from one queue to another, and used by one at a time.
// @unchecked because the giver does not use it any more once it was given.
struct Handed<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
