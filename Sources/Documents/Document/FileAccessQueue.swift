import FileCoordination
import LinuxSystem
import Synchronization

/// What a document does to files, one thing after the other, on a thread of ours; none while idle.
///
/// While somebody outside has the document's item (``hold(_:)``), only what is needed to answer them
/// goes on.
final class FileAccessQueue: Sendable {
  typealias Job = @Sendable () -> Void
  private struct Entry {
    let isUrgent: Bool
    var isHold = false
    let run: Job
  }
  private struct State {
    var entries: [Entry] = []
    var isRunning = false
    var holds = 0
    /// Whether what runs waits for access and touches nothing.
    var isWaiting = false
  }
  private static let threads = ThreadPool(name: "fc-document")
  private let state = Mutex(State())

  /// Runs `job` after what was enqueued before; an urgent one also while the item is held.
  func enqueue(urgently isUrgent: Bool = false, _ job: @escaping Job) {
    add(Entry(isUrgent: isUrgent, run: job))
  }

  /// Lets somebody outside have the item, between two jobs, or while one only waits for access; until
  /// `release` was called no other job begins.
  ///
  /// What waits already waits on: the other side is not made to wait for it.
  func hold(_ begin: @escaping @Sendable (_ release: @escaping Job) -> Void) {
    let entry = Entry(isUrgent: true, isHold: true) { [self] in
      state.withLock { $0.holds += 1 }
      let isReleased = OnceOnly()
      begin { [self] in
        guard isReleased.claim() else { return }
        release()
      }
    }
    let isWaiting = state.withLock { state in
      if !state.isWaiting { state.entries.append(entry) }
      return state.isWaiting
    }
    if isWaiting { entry.run() } else { start() }
  }

  /// The job that runs begins to wait for access: two documents whose jobs wait for each other's
  /// answers would wait for ever.
  func beginWaiting() {
    let holds = state.withLock { state in
      state.isWaiting = true
      let holds = state.entries.filter(\.isHold)
      state.entries.removeAll(where: \.isHold)
      return holds
    }
    for hold in holds { hold.run() }
  }

  /// The job has access, or will not get it.
  func endWaiting() { state.withLock { $0.isWaiting = false } }

  private func release() {
    state.withLock { $0.holds = max(0, $0.holds - 1) }
    start()
  }

  /// Nobody outside gives the item back any more: the document is not registered.
  func releaseAll() {
    state.withLock { state in
      state.holds = 0
      state.entries.removeAll(where: \.isHold)
    }
    start()
  }

  private func add(_ entry: Entry) {
    state.withLock { $0.entries.append(entry) }
    start()
  }

  private func start() {
    let mustStart = state.withLock { state in
      guard !state.isRunning, Self.next(state) != nil else { return false }
      state.isRunning = true
      return true
    }
    guard mustStart else { return }
    do throws(SystemError) {
      try Self.threads.run { [self] in drain() }
    } catch {
      // No thread is to be had now: the next thing that is enqueued tries again.
      state.withLock { $0.isRunning = false }
      Diagnostics.report("a document's file access is delayed: \(error)")
    }
  }

  private static func next(_ state: State) -> Int? {
    state.holds == 0
      ? (state.entries.isEmpty ? nil : 0) : state.entries.firstIndex(where: \.isUrgent)
  }

  private func drain() {
    while true {
      let entry = state.withLock { state -> Entry? in
        guard let index = Self.next(state) else {
          state.isRunning = false
          return nil
        }
        return state.entries.remove(at: index)
      }
      guard let entry else { return }
      entry.run()
    }
  }
}

/// Lets one caller through.
final class OnceOnly: Sendable {
  private let isTaken = Atomic<Bool>(false)
  func claim() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }
}
