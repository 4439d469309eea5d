import FileCoordination
import Synchronization

/// A coordinator that the thread of an access uses, and any thread may cancel.
// @unchecked because that thread alone uses it, but for cancel(), which is for all of them.
final class CallCoordinator: @unchecked Sendable {
  let coordinator: NSFileCoordinator
  init(_ presenter: (any NSFilePresenter)?) {
    coordinator = NSFileCoordinator(filePresenter: presenter)
  }
  func cancel() { coordinator.cancel() }
}

/// The coordinated accesses that wait, so that all of them can be ended with the mount.
final class RunningCalls: Sendable {
  private struct State: Sendable {
    var isEnding = false
    var coordinators: [ObjectIdentifier: CallCoordinator] = [:]
  }
  private let state = Mutex(State())

  /// False when the mount is ending: nothing may begin any more.
  func begin(_ coordinator: CallCoordinator) -> Bool {
    state.withLock { state in
      if state.isEnding { return false }
      state.coordinators[ObjectIdentifier(coordinator)] = coordinator
      return true
    }
  }

  func end(_ coordinator: CallCoordinator) {
    state.withLock { $0.coordinators[ObjectIdentifier(coordinator)] = nil }
  }

  /// Ends all that wait; nothing begins any more.
  func endAll() {
    let waiting = state.withLock { state in
      state.isEnding = true
      return Array(state.coordinators.values)
    }
    for coordinator in waiting { coordinator.cancel() }
  }
}
