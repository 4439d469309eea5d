package import Foundation
import LinuxSystem

/// Brings messages to operation queues, and lets a thread that waits serve the queue it runs on.
///
/// A thread that waits inside a claim while it runs an operation of queue Q keeps Q busy: nobody else
/// could run what is sent there, and the claim may be waiting for just that. So each message stands in
/// a list of its queue; an operation of the queue takes the first one, and so does a waiting thread.
/// Whoever comes later finds the list shorter. Q's exclusion is kept, because it is Q's own thread.
package enum QueueDelivery {
  /// What one operation runs on a queue.
  struct Message: Sendable {
    /// Whose message it is: not run by a thread on whose stack an accessor of the same presenter is.
    let presenter: ObjectIdentifier?
    /// Whether more of its kind may join it as long as it stands last in the list.
    fileprivate let isNews: Bool
    private let first: @Sendable () -> Void
    private var rest: [@Sendable () -> Void] = []

    /// How much one operation runs at most: whoever uses the queue too must not wait for thousands.
    private static let limit = 64

    fileprivate init(
      presenter: ObjectIdentifier?,
      isNews: Bool,
      _ run: @escaping @Sendable () -> Void
    ) {
      self.presenter = presenter
      self.isNews = isNews
      first = run
    }

    /// Appends what another one runs, if both are news for the same presenter.
    fileprivate mutating func join(_ other: Message) -> Bool {
      guard isNews, other.isNews, presenter == other.presenter, rest.count < Self.limit - 1 else {
        return false
      }
      rest.append(other.first)
      return true
    }

    func run() {
      first()
      for each in rest { each() }
    }
  }

  /// Changed where it stands, never copied: thousands of messages may wait.
  private struct Mailbox {
    /// From `head` on; nil where a thread that waited took one out of its turn.
    private var pending: [Message?] = []
    private var head = 0
    private var count = 0
    var servers: [QueueServer] = []

    var isEmpty: Bool { count == 0 && servers.isEmpty }

    /// Says whether the message needs an operation of its own.
    mutating func append(_ message: Message) -> Bool {
      if pending.count > head, pending[pending.count - 1]?.join(message) == true { return false }
      pending.append(message)
      count += 1
      return true
    }

    func contains(where accepts: (Message) -> Bool) -> Bool {
      pending[head...].contains { $0.map(accepts) ?? false }
    }

    mutating func takeFirst(where accepts: (Message) -> Bool) -> Message? {
      guard let index = pending[head...].firstIndex(where: { $0.map(accepts) ?? false }) else {
        return nil
      }
      defer { tidyUp() }
      count -= 1
      let message = pending[index]
      pending[index] = nil
      return message
    }

    /// Moves the beginning on, and gives back what was read once it is the most.
    private mutating func tidyUp() {
      while head < pending.count, case nil = pending[head] { head += 1 }
      guard head == pending.count || (head > 64 && head * 2 > pending.count) else { return }
      pending.removeFirst(head)
      head = 0
    }
  }

  private static let mailboxes = Mutex<[ObjectIdentifier: Mailbox]>([:])

  /// Has `run` executed once on `queue`, after what was delivered there before.
  ///
  /// Returns at once. The queue is kept alive until it ran. News for one presenter, with nothing else
  /// between, share an operation: a program that makes thousands of files must not cost as many of them.
  package static func deliver(
    to queue: OperationQueue,
    for presenter: ObjectIdentifier? = nil,
    isNews: Bool = false,
    _ run: @escaping @Sendable () -> Void
  ) {
    let message = Message(presenter: presenter, isNews: isNews, run)
    let key = ObjectIdentifier(queue)
    let (isAlone, server) = mailboxes.withLock { mailboxes in
      let isAlone = mailboxes[key, default: Mailbox()].append(message)
      return (isAlone, mailboxes[key]?.servers.last { $0.accepts(message) })
    }
    if isAlone { queue.addOperation { takeFirst(of: queue)?.run() } }
    server?.wake()
  }

  private static func takeFirst(of queue: OperationQueue) -> Message? {
    take(ObjectIdentifier(queue)) { _ in true }
  }

  private static func take(
    _ key: ObjectIdentifier,
    _ accepts: (Message) -> Bool
  ) -> Message? {
    mailboxes.withLock { mailboxes in
      let message = mailboxes[key]?.takeFirst(where: accepts)
      if mailboxes[key]?.isEmpty == true { mailboxes[key] = nil }
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

  static func hasMessage(for server: QueueServer) -> Bool {
    mailboxes.withLock { mailboxes in
      mailboxes[ObjectIdentifier(server.queue)]?.contains(where: server.accepts) ?? false
    }
  }

  /// The first message that the waiting thread may run in place.
  static func take(for server: QueueServer) -> Message? {
    take(ObjectIdentifier(server.queue), server.accepts)
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

  /// Whether ``serve()`` would run something now.
  var hasMessage: Bool { QueueDelivery.hasMessage(for: self) }

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
