import LinuxSystem
import struct Synchronization.Atomic

/// A span of time in which what happens at or below some paths is a coordinated write of ours.
package struct WindowID: Hashable, Sendable {
  let number: UInt64
}

/// How much a monitor keeps; for tests and benchmarks.
package struct MonitorStatistics: Hashable, Sendable {
  /// Kernel watches in use.
  package var watches = 0
  /// Directories of which only the names are known yet; the rest is looked at in the background.
  package var unseen = 0
  /// Names about which something was heard and nothing is decided yet.
  package var pending = 0
  /// Renames of which one half was read.
  package var renames = 0
  /// O_PATH descriptors on items that are still allowed.
  package var descriptorsLeft = 0
}

/// What callers and the engine's thread share.
final class MonitorState: Sendable {
  typealias Command = @Sendable (Engine) -> Void

  /// A window that is open.
  struct Window: Sendable {
    let id: WindowID
    let paths: [FilePath]
    /// How the paths stood when it opened: tells what a stranger did before.
    ///
    /// Nil where another window was open already.
    var before: [FileStatus?]

    func covers(_ path: FilePath) -> Bool {
      paths.contains { path == $0 || path.isInside($0) }
    }
  }

  struct Degradation: Sendable {
    var trees: [DegradedTree] = []
    var statistics = MonitorStatistics()
  }

  private let commands = Mutex<[Command]>([])
  private let windows = Mutex<[Window]>([])
  /// Changes with every window that opens or closes.
  private let windowVersion = Atomic<UInt64>(0)
  let degradation = Mutex(Degradation())
  /// How many records of one read are kept, 0 for all; see ``ChangeMonitor/limitQueue(to:)``.
  private let kept = Atomic<Int>(0)
  let wait: WaitPoint
  /// What is waited for between reading records and judging them; see ``ChangeMonitor/precedence``.
  let precedence: Precedence

  init(precedence: Precedence) throws(SystemError) {
    wait = try WaitPoint()
    self.precedence = precedence
  }

  var queueLimit: Int? {
    let limit = kept.load(ordering: .relaxed)
    return limit == 0 ? nil : limit
  }
  func limitQueue(to limit: Int?) { kept.store(limit ?? 0, ordering: .relaxed) }

  func post(_ command: @escaping Command) {
    commands.withLock { $0.append(command) }
    wait.wake()
  }

  func takeCommands() -> [Command] {
    commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }

  // MARK: windows

  func open(_ window: Window) {
    windows.withLock { windows in
      var window = window
      for (index, path) in window.paths.enumerated()
      where windows.contains(where: { $0.covers(path) }) {
        window.before[index] = nil
      }
      windows.append(window)
    }
    windowVersion.add(1, ordering: .sequentiallyConsistent)
  }

  func close(_ id: WindowID) {
    windows.withLock { $0.removeAll { $0.id == id } }
    windowVersion.add(1, ordering: .sequentiallyConsistent)
  }

  /// The open windows, if they are others than at `version`, which is brought up to date.
  func windows(since version: inout UInt64) -> [Window]? {
    let current = windowVersion.load(ordering: .sequentiallyConsistent)
    if current == version { return nil }
    version = current
    return windows.withLock { $0 }
  }
}
