import FileCoordination
import Foundation
import Synchronization

/// How documents reach the main thread.
///
/// Programs whose main thread serves the main dispatch queue need not do anything: those that end in
/// `dispatchMain()`, have an async `main`, or run the main run loop. A toolkit with a main loop of its
/// own (GTK's runs a GMainContext) says once, before the first document is made, how something is run
/// there:
///
/// ```swift
/// MainThread.useHook { body in glibIdleAdd(body) }
/// ```
public enum MainThread {
  /// Runs what it is given later, once, on the main thread, in the order in which it was given.
  public typealias Hook = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void
  private static let hook = Mutex<Hook?>(nil)

  /// Says how something is run on the main thread; nil: through the main dispatch queue.
  public static func useHook(_ hook: Hook?) { self.hook.withLock { $0 = hook } }

  /// Runs `body` later, once, on the main thread; returns at once.
  public static func run(_ body: @escaping @Sendable () -> Void) {
    if let hook = hook.withLock({ $0 }) { return hook(body) }
    // A main thread that waits inside `coordinate` runs it in place.
    QueueDelivery.deliver(to: .main, body)
  }
}
