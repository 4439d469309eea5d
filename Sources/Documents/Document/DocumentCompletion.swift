import FileCoordination
import Foundation
import struct Synchronization.Atomic

/// The completion handler of one operation: called exactly once, on the queue that is documented.
// @unchecked because the handler is only called once, on the queue of the caller who made it.
final class DocumentCompletion: @unchecked Sendable {
  private let handler: ((Bool) -> Void)?
  private let isSpent = Atomic<Bool>(false)
  let queue: CallerQueue

  init(_ handler: ((Bool) -> Void)?, on queue: CallerQueue = .current) {
    self.handler = handler
    self.queue = queue
  }

  /// Calls the handler, later, on its queue; only the first call counts.
  ///
  /// What comes `before` runs on the main thread, and before a handler there.
  func callAsFunction(_ success: Bool, before: (@Sendable () -> Void)? = nil) {
    let isFirst = !isSpent.exchange(true, ordering: .acquiringAndReleasing)
    guard isFirst, handler != nil else {
      if let before { MainThread.run(before) }
      return
    }
    if case .main = queue {
      // One wake of the main thread for both.
      return MainThread.run { [self] in
        before?()
        handler?(success)
      }
    }
    if let before { MainThread.run(before) }
    queue.run { [self] in handler?(success) }
  }

  /// Calls the handler in place where its queue is at it, else later.
  func callNow(_ success: Bool) {
    guard queue.isHere else { return self(success) }
    guard !isSpent.exchange(true, ordering: .acquiringAndReleasing) else { return }
    handler?(success)
  }

  /// A handler that was dropped by somebody's override is called all the same.
  deinit {
    guard let handler, !isSpent.load(ordering: .acquiring) else { return }
    let last = DocumentCompletion(handler, on: queue)
    last(false)
  }
}

/// Where callbacks of an operation run: the queue from which it was begun.
enum CallerQueue: Sendable {
  case main
  case operations(OperationQueue)

  /// The operation queue that the caller runs on; the main thread for all others.
  static var current: CallerQueue {
    if OperationQueue.isMainHere { return .main }
    guard let queue = OperationQueue.here, queue !== OperationQueue.main else { return .main }
    return .operations(queue)
  }

  /// Runs `body` there, later; a thread that waits for access meanwhile and runs on that queue does
  /// so in place.
  func run(_ body: @escaping @Sendable () -> Void) {
    switch self {
    case .main: MainThread.run(body)
    case .operations(let queue): QueueDelivery.deliver(to: queue, body)
    }
  }

  /// Whether the calling code runs there now.
  var isHere: Bool {
    switch self {
    case .main: OperationQueue.isMainHere
    case .operations(let queue): OperationQueue.here === queue
    }
  }
}
