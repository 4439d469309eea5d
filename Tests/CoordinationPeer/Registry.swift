import LinuxSystem
import FileCoordination
import Foundation

/// What the peer keeps under names.
final class Registry: Sendable {
  static let shared = Registry()

  private struct State {
    var presenters: [String: any PeerPresenter] = [:]
    var coordinators: [String: CoordinatorBox] = [:]
    var queues: [String: OperationQueue] = [:]
    var mutexes: [String: NSLock] = [:]
    var tasks: [String: Task<Void, Never>] = [:]
  }
  private let state = Mutex(State())

  func keep(_ presenter: any PeerPresenter, as name: String) {
    state.withLock { $0.presenters[name] = presenter }
  }

  func presenter(_ name: String) -> (any PeerPresenter)? {
    state.withLock { $0.presenters[name] }
  }

  func forgetPresenter(_ name: String) {
    // Released outside the lock: its deinit may do anything.
    let dropped = state.withLock { $0.presenters.removeValue(forKey: name) }
    _ = dropped
  }

  func keep(_ coordinator: NSFileCoordinator, as name: String) {
    state.withLock { $0.coordinators[name] = CoordinatorBox(coordinator) }
  }

  func coordinator(_ name: String) -> CoordinatorBox? {
    state.withLock { $0.coordinators[name] }
  }

  func queue(_ name: String) -> OperationQueue {
    state.withLock { state in
      if let queue = state.queues[name] { return queue }
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.name = name
      state.queues[name] = queue
      return queue
    }
  }

  func mutex(_ name: String) -> NSLock {
    state.withLock { state in
      if let lock = state.mutexes[name] { return lock }
      let lock = NSLock()
      state.mutexes[name] = lock
      return lock
    }
  }

  func keep(_ task: Task<Void, Never>, as name: String) {
    state.withLock { $0.tasks[name] = task }
  }

  func task(_ name: String) -> Task<Void, Never>? { state.withLock { $0.tasks[name] } }
}

/// A coordinator on its way to another thread.
// @unchecked because a script uses a coordinator on one thread at a time, but for `cancel()`.
struct CoordinatorBox: @unchecked Sendable {
  let coordinator: NSFileCoordinator
  init(_ coordinator: NSFileCoordinator) { self.coordinator = coordinator }
}
