import Foundation
import LinuxSystem
import Synchronization

/// An access whose accessor runs on a queue of the caller's, while a thread of ours waits for it.
enum QueuedAccess {
  static func start(
    _ core: CoordinatorCore,
    _ intents: [NSFileAccessIntent],
    _ queue: OperationQueue,
    _ accessor: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let items = intents.map { AccessItem(url: $0.url, access: $0.access) }
    do throws(SystemError) {
      try SuspendingAccess.threads.run { perform(core, items, intents, queue, accessor) }
    } catch {
      let failure = CoordinationError(
        .outOfResources,
        items,
        "No thread could be started to wait: \(error).",
        cause: error
      )
      QueueDelivery.deliver(to: queue) { accessor(failure.nsError) }
    }
  }

  private static func perform(
    _ core: CoordinatorCore,
    _ items: [AccessItem],
    _ intents: [NSFileAccessIntent],
    _ queue: OperationQueue,
    _ accessor: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let access = CoordinatedAccess(core, items)
    let snapshots = UploadSnapshots()
    defer { snapshots.remove() }
    let needsSnapshot = items.contains { $0.readingOptions.contains(.forUploading) }
    let urls: [URL]
    do throws(CoordinationError) {
      if items.isEmpty { return runAndWait(on: queue) { accessor(nil) } }
      try access.begin()
      urls = needsSnapshot ? try snapshots.take(from: access) : access.urls
    } catch {
      return runAndWait(on: queue) { accessor(error.nsError) }
    }
    for (intent, url) in zip(intents, urls) { intent.update(url) }
    if needsSnapshot, !items.contains(where: \.isWriting) {
      access.finish()
      return runAndWait(on: queue) { accessor(nil) }
    }
    runAndWait(on: queue) { access.run { _ in accessor(nil) } }
    access.finish()
  }

  /// Has `work` run on `queue`, or by a thread that waits there, and waits until it has.
  private static func runAndWait(on queue: OperationQueue, _ work: @escaping @Sendable () -> Void) {
    let waiter = CoordinationWaiter()
    let done = DoneFlag()
    QueueDelivery.deliver(to: queue) {
      work()
      done.set()
      waiter.wake()
    }
    while !done.isSet { _ = waiter.park(until: nil, sockets: []) }
  }
}

/// Becomes true once.
final class DoneFlag: Sendable {
  private let flag = Atomic<Bool>(false)
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
