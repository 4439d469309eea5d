import Dispatch
import FileCoordination
import Foundation
import Fuse

/// Coordinated accesses to the items of a folder, for programs that do not coordinate.
///
/// Each is made on a thread of its own, for the folder's own path: the thread that serves the kernel
/// only waits, and looks whether the program still wants it. Nothing here touches the mount itself, so
/// that the coordination never waits for what waits for it.
final class ItemAccess: Sendable {
  let folder: Folder
  let writes = OpenWrites()
  private let calls = RunningCalls()
  private let threads = DispatchGroup()

  init(_ folder: Folder) { self.folder = folder }

  private func url(_ path: ItemPath) -> URL { path.url(in: folder.path) }

  // MARK: accesses that end with the call

  /// Has an item's contents here, runs the body, and returns what that returns.
  ///
  /// In the name of a presenter nobody has to ask that one. Readers of one presenter are one party; they
  /// would not exclude each other otherwise.
  func reading<Value: Sendable>(
    _ path: ItemPath,
    as presenter: (any NSFilePresenter & Sendable)? = nil,
    _ body: @escaping @Sendable () throws(SystemErrno) -> Value
  ) throws(SystemErrno) -> Value {
    let url = url(path)
    return try blocking(CallCoordinator(presenter)) { coordinator in
      try coordinator.coordinate(readingItemAt: url) { found in
        try Self.check(found, url)
        return try body()
      }
    }
  }

  /// Runs the body with an item claimed for writing.
  func writing(
    _ path: ItemPath,
    _ options: NSFileCoordinator.WritingOptions,
    _ body: @escaping @Sendable () throws(SystemErrno) -> Void
  ) throws(SystemErrno) {
    let url = url(path)
    try blocking { coordinator in
      try coordinator.coordinate(writingItemAt: url, options: options) { found in
        try Self.check(found, url)
        try body()
      }
    }
  }

  /// Moves an item over another, or over nothing.
  func moving(
    _ path: ItemPath,
    to other: ItemPath,
    _ options: NSFileCoordinator.WritingOptions,
    _ body: @escaping @Sendable () throws(SystemErrno) -> Void
  ) throws(SystemErrno) {
    let (from, to) = (url(path), url(other))
    try blocking { coordinator in
      try coordinator.coordinate(
        writingItemAt: from,
        options: .forMoving,
        writingItemAt: to,
        options: options
      ) { foundFrom, foundTo in
        try Self.check(foundFrom, from)
        try Self.check(foundTo, to)
        try body()
        coordinator.item(at: from, didMoveTo: to)
      }
    }
  }

  /// Runs the body with an item read and another written.
  func reading(
    _ path: ItemPath,
    writing other: ItemPath,
    _ body: @escaping @Sendable () throws(SystemErrno) -> Void
  ) throws(SystemErrno) {
    let (from, to) = (url(path), url(other))
    try blocking { coordinator in
      try coordinator.coordinate(readingItemAt: from, writingItemAt: to) { foundFrom, foundTo in
        try Self.check(foundFrom, from)
        try Self.check(foundTo, to)
        try body()
      }
    }
  }

  /// The item moved while it was waited for: the kernel looks the path up again.
  private static func check(_ found: URL, _ wanted: URL) throws(SystemErrno) {
    if found != wanted { throw .stale }
  }

  private func blocking<Value: Sendable>(
    _ coordinator: CallCoordinator = CallCoordinator(nil),
    _ body: @escaping @Sendable (NSFileCoordinator) throws -> Value
  ) throws(SystemErrno) -> Value {
    guard calls.begin(coordinator) else { throw .notConnected }
    defer { calls.end(coordinator) }
    let result = PendingResult<Value>()
    onThread {
      do { result.set(.success(try body(coordinator.coordinator))) } catch {
        result.set(.failure(SystemErrno(error)))
      }
    }
    return try result.wait { coordinator.cancel() }
  }

  private func onThread(_ body: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread { [threads] in
      body()
      threads.leave()
    }
  }

  // MARK: accesses that last while a file is open

  /// Opens a file under a claim that is given back when the last program has closed it.
  func openForWriting(
    _ path: ItemPath,
    _ options: NSFileCoordinator.WritingOptions,
    _ open: @escaping @Sendable () throws(SystemErrno) -> OpenFile
  ) throws(SystemErrno) -> OpenItem {
    while true {
      switch writes.wayToWrite(path) {
      case .begin: return try begin(path, options, open)
      case .join(let write):
        do throws(SystemErrno) {
          return item(try open(), write)
        } catch {
          writes.leave(write)
          throw error
        }
      case .wait(let sleeper): try wait(for: sleeper)
      }
    }
  }

  /// Opens a file for reading where somebody has it open for writing; nil if nobody has.
  func openWritten(
    _ path: ItemPath,
    _ open: () throws(SystemErrno) -> OpenFile
  ) throws(SystemErrno) -> OpenFile? {
    while let sleeper = writes.beginning(path) { try wait(for: sleeper) }
    return writes.isOpen(path) ? try open() : nil
  }

  /// Waits a moment for programs that have just closed the file: the kernel says so a little later.
  func waitForClosing(_ path: ItemPath) {
    let deadline = DispatchTime.now() + .milliseconds(100)
    while let sleeper = writes.user(of: path) {
      if sleeper.wait(timeout: deadline) == .timedOut { return }
    }
  }

  private func wait(for sleeper: DispatchSemaphore) throws(SystemErrno) {
    while sleeper.wait(timeout: .now() + Interruption.pause) == .timedOut {
      if FuseRequest.isInterrupted { throw .interrupted }
    }
  }

  private func item(_ file: OpenFile, _ write: OpenWrite) -> OpenItem {
    OpenItem(file) { [writes] in writes.leave(write) }
  }

  private func begin(
    _ path: ItemPath,
    _ options: NSFileCoordinator.WritingOptions,
    _ open: @escaping @Sendable () throws(SystemErrno) -> OpenFile
  ) throws(SystemErrno) -> OpenItem {
    let coordinator = CallCoordinator(nil)
    guard calls.begin(coordinator) else {
      writes.failed(path)
      throw .notConnected
    }
    defer { calls.end(coordinator) }
    let (write, result) = (OpenWrite(), PendingResult<OpenFile>())
    onThread { [self] in hold(write, path, options, coordinator, result, open) }
    return item(try result.wait { coordinator.cancel() }, write)
  }

  /// The claim's thread: from the claim to the provider's being told.
  private func hold(
    _ write: OpenWrite,
    _ path: ItemPath,
    _ options: NSFileCoordinator.WritingOptions,
    _ coordinator: CallCoordinator,
    _ result: PendingResult<OpenFile>,
    _ open: @Sendable () throws(SystemErrno) -> OpenFile
  ) {
    let url = url(path)
    var hasBegun = false
    do {
      try coordinator.coordinator.coordinate(writingItemAt: url, options: options) { found in
        try Self.check(found, url)
        let file = try open()
        hasBegun = true
        writes.began(write, path)
        result.set(.success(file))
        write.waitForEnd()
      }
    } catch {
      result.set(.failure(SystemErrno(error)))
    }
    guard hasBegun else { return writes.failed(path) }
    // It was written under another name to the end: its provider has not heard of that name's contents.
    if let place = writes.settled(write, path) { tellProvider(of: place) }
  }

  private func tellProvider(of path: ItemPath) {
    do { try NSFileCoordinator().coordinate(writingItemAt: url(path)) { _ in } } catch {
      FileHandle.standardError.write(
        Data("provider-mount: the provider did not hear of \(path): \(error)\n".utf8)
      )
    }
  }

  // MARK: ending

  /// Ends what waits, with errors; nothing begins any more.
  func cancelAll() { calls.endAll() }

  /// Gives all claims back, so that providers hear of what was written; waits for that, but not long.
  func endAll() {
    calls.endAll()
    writes.endAll()
    _ = threads.wait(timeout: .now() + .seconds(10))
  }
}
