import FileWatching
import LinuxSystem
import TestSupport
import Testing

/// Where records come from in a test; every test of behaviour runs with both.
enum Engine: CaseIterable, CustomTestStringConvertible {
  #if InotifyTools
  case library
  #endif
  case kernel

  var testDescription: String { "\(self)" }

  /// A monitor of this kind.
  ///
  /// That of libinotifytools is the process's own, because there can be one only.
  func monitor() -> ChangeMonitor {
    switch self {
    #if InotifyTools
    case .library: .shared
    #endif
    case .kernel: ChangeMonitor(source: .kernel)
    }
  }
}

/// A directory to watch in, a monitor, and what it reported.
final class Watcher: Sendable {
  let directory: TemporaryDirectory
  let monitor: ChangeMonitor
  let log = EventLog()
  private let tokens = Mutex<[WatchToken]>([])

  /// In memory where many files are made: the tests are about records, not about disks.
  init(
    _ engine: Engine,
    inMemory: Bool = false,
    @FileTreeBuilder _ items: () -> [any FileTreeItem] = { [] }
  ) throws {
    directory = try TemporaryDirectory(in: FilePath(inMemory ? "/dev/shm" : "/tmp"))
    monitor = engine.monitor()
    try FileTree.write(into: directory.path, items)
  }

  /// Ends all watches.
  func unwatch() { for token in tokens.withLock({ $0 }) { monitor.unwatch(token) } }

  deinit { for token in tokens.withLock({ $0 }) { monitor.unwatch(token) } }

  var path: FilePath { directory.path }
  func path(_ name: String) -> FilePath { name.isEmpty ? path : path.appending(name) }

  @discardableResult
  func watch(_ name: String = "", _ scope: WatchScope = .item, into log: EventLog? = nil)
    -> WatchToken
  {
    let log = log ?? self.log
    let token = monitor.watch(path(name), scope: scope) { event in log.add(event) }
    tokens.withLock { $0.append(token) }
    return token
  }

  /// Runs a shell script in the directory, as a program that knows nothing of us.
  func shell(_ script: String) async throws {
    let directory = path
    let end = try await onThread { () throws(SystemError) in
      try ChildProcess(
        FilePath("/bin/sh"),
        ["-ec", "cd \(directory) && exec >>/dev/null 2>&1\n\(script)"]
      ).wait()
    }
    #expect(end == .exited(0), "\(script)")
  }

  /// Waits until all that happened has been reported.
  func settle() async { await monitor.settle() }

  /// What was reported since the last time, once all is.
  func events() async -> [ChangeEvent] {
    await settle()
    return log.take()
  }
}

/// What a watcher was told.
final class EventLog: Sendable {
  private let events = Mutex<[ChangeEvent]>([])
  func add(_ event: ChangeEvent) { events.withLock { $0.append(event) } }
  func take() -> [ChangeEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }
  var all: [ChangeEvent] { events.withLock { $0 } }
}

extension ChangeMonitor {
  /// Waits until all that happened before has been reported.
  func settle() async {
    await withCheckedContinuation { done in fence { done.resume() } }
  }

  /// Closes a window and waits until it is closed.
  func close(_ window: WindowID) async {
    await withCheckedContinuation { done in closeWindow(window) { done.resume() } }
  }
}

/// Runs what blocks on a thread of its own.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws(SystemError) -> R) async throws
  -> R
{
  try await withCheckedThrowingContinuation { (done: CheckedContinuation<R, any Error>) in
    do {
      try BlockingThread.start("test") {
        do { done.resume(returning: try body()) } catch { done.resume(throwing: error) }
      }
    } catch { done.resume(throwing: error) }
  }
}

/// All tests of watching run one after the other: they share the machine's queues and one library.
@Suite(.serialized, .timeLimit(.minutes(3))) enum WatchingTests {}
