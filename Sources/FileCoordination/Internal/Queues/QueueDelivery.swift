package import Foundation
import LinuxSystem
import Synchronization

/// Brings messages to operation queues, and lets a thread that waits serve the queue it runs on.
///
/// A thread that waits inside a claim while it runs an operation of queue Q keeps Q busy: nobody else
/// could run what is sent there, and the claim may be waiting for just that. So each message stands in
/// a list of its queue; an operation of the queue takes the first one, and so does a waiting thread.
/// Whoever comes later finds the list shorter. Q's exclusion is kept, because it is Q's own thread.
package enum QueueDelivery {
  /// One thing to run on a queue.
  struct Message: Sendable {
    /// Whose message it is: not run by a thread on whose stack an accessor of the same presenter is.
    let presenter: ObjectIdentifier?
    let run: @Sendable () -> Void
  }

  private struct Mailbox {
    var pending: [Message] = []
    var servers: [QueueServer] = []
    var isEmpty: Bool { pending.isEmpty && servers.isEmpty }
  }

  private static let mailboxes = Mutex<[ObjectIdentifier: Mailbox]>([:])

  /// Has `run` executed once on `queue`, after what was delivered there before.
  ///
  /// Returns at once. The queue is kept alive until it ran.
  package static func deliver(
    to queue: OperationQueue,
    for presenter: ObjectIdentifier? = nil,
    _ run: @escaping @Sendable () -> Void
  ) {
    let message = Message(presenter: presenter, run: run)
    let server = mailboxes.withLock { mailboxes in
      mailboxes[ObjectIdentifier(queue), default: Mailbox()].pending.append(message)
      return mailboxes[ObjectIdentifier(queue)]?.servers.last { $0.accepts(message) }
    }
    queue.addOperation { takeFirst(of: queue)?.run() }
    server?.wake()
  }

  private static func takeFirst(of queue: OperationQueue) -> Message? {
    take(ObjectIdentifier(queue)) { $0.isEmpty ? nil : 0 }
  }

  private static func take(
    _ key: ObjectIdentifier,
    _ choose: ([Message]) -> Int?
  ) -> Message? {
    mailboxes.withLock { mailboxes in
      guard var box = mailboxes[key], let index = choose(box.pending) else { return nil }
      let message = box.pending.remove(at: index)
      mailboxes[key] = box.isEmpty ? nil : box
      return message
    }
  }

  static func add(_ server: QueueServer) {
    mailboxes.withLock {
      $0[ObjectIdentifier(server.queue), default: Mailbox()].servers.append(server)
    }
  }

  static func remove(_ server: QueueServer) {
    let key = ObjectIdentifier(server.queue)
    mailboxes.withLock { mailboxes in
      guard var box = mailboxes[key] else { return }
      box.servers.removeAll { $0 === server }
      mailboxes[key] = box.isEmpty ? nil : box
    }
  }

  /// The first message that the waiting thread may run in place.
  static func take(for server: QueueServer) -> Message? {
    take(ObjectIdentifier(server.queue)) { $0.firstIndex(where: server.accepts) }
  }
}

/// A thread that waits inside a claim and meanwhile runs what is sent to the queue it stands on.
final class QueueServer: Sendable {
  let queue: OperationQueue
  private let busyPresenters: Set<ObjectIdentifier>
  private let wakeUp: @Sendable () -> Void

  /// Nil on a thread that runs no operation and is not the main thread.
  init?(wake: @escaping @Sendable () -> Void) {
    guard let queue = OperationQueue.here else { return nil }
    self.queue = queue
    busyPresenters = AccessorStack.presentersOnThisThread
    wakeUp = wake
  }

  func accepts(_ message: QueueDelivery.Message) -> Bool {
    message.presenter.map { !busyPresenters.contains($0) } ?? true
  }

  func wake() { wakeUp() }

  /// Runs every message that stands in the list now; says whether there was one.
  func serve() -> Bool {
    var served = false
    while let message = QueueDelivery.take(for: self) {
      served = true
      message.run()
    }
    return served
  }
}
