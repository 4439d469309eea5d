import Dispatch
import FileCoordination
import Foundation
import LinuxSystem

/// How something gets to run on the program's main thread.
///
/// A program whose main thread runs `dispatchMain()`, an async `main` or `RunLoop.main.run()` serves
/// the main queue and needs nothing. A program with another main loop (GLib's, a terminal's) says at
/// its start how work gets there:
///
/// ```swift
/// MainLoopHook.install { work in
///   addToGLibIdle(work)  // g_idle_add(3): runs once, after what the thread is doing now
/// }
/// ```
///
/// It is used for completion handlers and notifications of documents and to end an undo manager's
/// event.
public enum MainLoopHook {
  /// Takes work and has it run soon, once, on the main thread, never before it returns.
  ///
  /// Called from any thread; work handed over by one thread must keep its order.
  public typealias Scheduler = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

  /// A function that is itself the value of a lock would be wrapped once more by every access.
  private struct Installed: Sendable {
    let schedule: Scheduler
  }
  private static let installed = Mutex<Installed?>(nil)

  /// Has work run through `scheduler` from now on, instead of the main queue.
  public static func install(_ scheduler: @escaping Scheduler) {
    installed.withLock { $0 = Installed(schedule: scheduler) }
    UndoEvents.shared.reschedule()
  }

  /// Has work run on the main queue again, as at first.
  public static func uninstall() {
    installed.withLock { $0 = nil }
    UndoEvents.shared.reschedule()
  }

  /// Runs `work` on the main thread soon, never before this returns.
  package static func perform(_ work: @escaping @Sendable () -> Void) {
    if let installed = installed.withLock({ $0 }) {
      installed.schedule(work)
    } else {
      DispatchQueue.main.async(execute: work)
    }
  }

  /// The same, but a main thread that waits inside `coordinate` meanwhile runs `work` in place.
  package static func performEvenWhileCoordinating(_ work: @escaping @Sendable () -> Void) {
    if let installed = installed.withLock({ $0 }) {
      installed.schedule(work)
    } else {
      QueueDelivery.deliver(to: .main, work)
    }
  }
}
