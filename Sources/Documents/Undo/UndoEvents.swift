import Foundation
import LinuxSystem

/// The undo managers with a group open that ends with the present event.
///
/// One piece of work on the main thread ends the event for all of them: it runs when the thread has
/// done with what it was doing, which is what an event is.
final class UndoEvents: Sendable {
  static let shared = UndoEvents()

  private struct WeakManager: Sendable { weak let manager: UndoManager? }
  private struct State {
    var managers: [WeakManager] = []
    var isScheduled = false
  }
  private let state = Mutex(State())

  /// Has `manager` told when the event is over.
  ///
  /// `modes` are the main run loop's modes in which that may be, when others than the usual.
  func add(_ manager: UndoManager, modes: [RunLoop.Mode]?) {
    let mustSchedule = state.withLock { state in
      state.managers.append(WeakManager(manager: manager))
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule() }
    // A run loop in a mode of a client's own serves no main queue, but this.
    if let modes, modes != [.default], Thread.isMainThread {
      RunLoop.main.perform(inModes: modes) { UndoEvents.shared.endEvent() }
    }
  }

  /// Schedules anew, because what was scheduled before may never run.
  func reschedule() {
    if state.withLock({ $0.isScheduled }) { schedule() }
  }

  private func schedule() { MainLoopHook.perform { UndoEvents.shared.endEvent() } }

  /// The present event is over.
  func endEvent() {
    let managers = state.withLock { state in
      defer { state = State() }
      return state.managers
    }
    for entry in managers { entry.manager?.eventIsOver() }
  }
}

extension UndoManager {
  /// Ours: ends the present event for all undo managers, closing the groups it opened.
  ///
  /// For programs whose main thread serves neither the main queue nor a ``MainLoopHook``: call it
  /// when one event, a key press for example, has been handled. Posts notifications on the calling
  /// thread.
  public static func endCurrentEvent() { UndoEvents.shared.endEvent() }
}
