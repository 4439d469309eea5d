import Documents
import Foundation
import Glibc
import LinuxSystem
import Synchronization
import TestSupport

/// Directories of the test process itself: it coordinates and keeps versions, but not in the user's.
enum DocumentWorld {
  /// Set before the first document is made.
  static let directory: TemporaryDirectory = {
    guard let directory = try? TemporaryDirectory() else { preconditionFailure("no /tmp") }
    for (name, place) in [
      ("FILE_COORDINATION_DIR", "runtime"), ("XDG_DATA_HOME", "data"), ("XDG_STATE_HOME", "state"),
    ] {
      setenv(name, directory.path.appending(place).description, 1)
    }
    atexit { try? FileSystem.removeTree(DocumentWorld.directory.path) }
    return directory
  }()

  static func enter() { _ = directory }
}

/// A clock that stands still until it is moved.
final class ManualClock: DocumentClock {
  private struct State {
    var now = Duration.zero
    var alarms: [(time: Duration, body: @Sendable () -> Void)] = []
  }
  private let state = Mutex(State())
  var now: Duration { state.withLock { $0.now } }
  func run(at time: Duration, _ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.alarms.append((time, body)) }
  }

  /// Moves the time on, and rings what is due.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let now = state.now
      let due = state.alarms.filter { $0.time <= now }
      state.alarms.removeAll { $0.time <= now }
      return due
    }
    for alarm in due { alarm.body() }
  }
  var alarms: Int { state.withLock { $0.alarms.count } }
}

/// A document of text, which remembers what was done with it.
// @unchecked because tests use it from the main thread, and what others write is locked.
class TextDocument: UIDocument, @unchecked Sendable {
  struct Seen {
    var loads = 0
    var loadedOnMain: [Bool] = []
    var loadedKinds: [String] = []
    var snapshots = 0
    var saves = 0
    var autosaves = 0
    var readsOnMain: [Bool] = []
    var writesOnMain: [Bool] = []
    var originals: [URL?] = []
    var errors: [NSError] = []
    var editing: [String] = []
    var states: [UIDocument.State] = []
  }
  private let lock = NSLock()
  private var seenNow = Seen()
  private var textNow = ""
  private var failure: NSError?
  private var saving: String?
  private var declines = false

  var seen: Seen { lock.withLock { seenNow } }
  func note(_ change: (inout Seen) -> Void) { lock.withLock { change(&seenNow) } }
  var text: String {
    get { lock.withLock { textNow } }
    set { lock.withLock { textNow = newValue } }
  }
  /// What `contents(forType:)` throws.
  var contentsFailure: NSError? {
    get { lock.withLock { failure } }
    set { lock.withLock { failure = newValue } }
  }
  var savesAs: String? {
    get { lock.withLock { saving } }
    set { lock.withLock { saving = newValue } }
  }
  var declinesAutosave: Bool {
    get { lock.withLock { declines } }
    set { lock.withLock { declines = newValue } }
  }

  /// One that does not save by itself unless it is given a clock.
  convenience init(_ url: URL, clock: any DocumentClock = ManualClock()) {
    DocumentWorld.enter()
    self.init(fileURL: url)
    var policy = AutosavePolicy()
    policy.clock = clock
    setAutosavePolicy(policy)
  }

  func edit(_ text: String) {
    self.text = text
    updateChangeCount(.done)
  }

  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    note {
      $0.loads += 1
      $0.loadedOnMain.append(OperationQueue.isMainHere)
      $0.loadedKinds.append(contents is Data ? "Data" : "\(type(of: contents))")
    }
    if let data = contents as? Data { text = String(decoding: data, as: UTF8.self) }
    if let wrapper = contents as? FileWrapper { text = wrapper["text"]?.text ?? "" }
  }

  override func contents(forType typeName: String) throws -> Any {
    note { $0.snapshots += 1 }
    if let contentsFailure { throw contentsFailure }
    return Data(text.utf8)
  }

  override func read(from url: URL) throws {
    note { $0.readsOnMain.append(OperationQueue.isMainHere) }
    try super.read(from: url)
  }

  override func writeContents(
    _ contents: Any,
    to url: URL,
    for saveOperation: UIDocument.SaveOperation,
    originalContentsURL: URL?
  ) throws {
    note {
      $0.writesOnMain.append(OperationQueue.isMainHere)
      $0.originals.append(originalContentsURL)
    }
    try super.writeContents(
      contents,
      to: url,
      for: saveOperation,
      originalContentsURL: originalContentsURL
    )
  }

  override func save(
    to url: URL,
    for saveOperation: UIDocument.SaveOperation,
    completionHandler: ((Bool) -> Void)? = nil
  ) {
    note { $0.saves += 1 }
    super.save(to: url, for: saveOperation, completionHandler: completionHandler)
  }

  override func autosave(completionHandler: ((Bool) -> Void)? = nil) {
    note { $0.autosaves += 1 }
    if declinesAutosave {
      completionHandler?(false)
      return
    }
    super.autosave(completionHandler: completionHandler)
  }

  override var savingFileType: String? { savesAs ?? super.savingFileType }

  override func handleError(_ error: any Error, userInteractionPermitted: Bool) {
    note { $0.errors.append(error as NSError) }
    finishedHandlingError(error, recovered: false)
  }

  override func disableEditing() { note { $0.editing.append("off") } }
  override func enableEditing() { note { $0.editing.append("on") } }
}

/// A package of many small files.
final class PackageDocument: TextDocument, @unchecked Sendable {
  override func contents(forType typeName: String) throws -> Any {
    FileWrapper(directoryWithFileWrappers: [
      "text": FileWrapper(regularFileWithContents: Data(text.utf8)),
      "note": FileWrapper(regularFileWithContents: Data("always".utf8)),
    ])
  }
}

extension Folder {
  /// Writes as another program that coordinates, on a thread of its own.
  func write(
    _ name: String,
    _ text: String,
    options: NSFileCoordinator.WritingOptions = []
  ) async throws {
    try await coordinating(.writingIntent(with: url(name), options: options)) { url in
      let path = FilePath(url.path)
      try File(path.lastComponent.map { String(decoding: $0, as: UTF8.self) } ?? "", text)
        .write(into: path.parent ?? path)
    }
  }

  /// One access of another program that coordinates.
  func coordinating(
    _ intents: NSFileAccessIntent...,
    body: @escaping @Sendable (URL) throws -> Void
  ) async throws {
    let queue = OperationQueue()
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      NSFileCoordinator().coordinate(with: intents, queue: queue) { error in
        if let error { return done.resume(throwing: error) }
        done.resume(with: Result { try body(intents[0].url) })
      }
    }
  }

  /// What another program that coordinates reads.
  func read(_ name: String) async throws -> String {
    let log = DocumentLog()
    try await coordinating(.readingIntent(with: url(name))) { url in
      log.add(String(decoding: try Data(contentsOf: url), as: UTF8.self))
    }
    return log.lines.first ?? ""
  }
}
