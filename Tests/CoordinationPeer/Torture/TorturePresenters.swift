import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

/// Presents the whole tree and records what it hears.
final class TortureWitness: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL?
  let presentedItemOperationQueue: OperationQueue
  private let log: TortureLog

  init(_ root: String, _ log: TortureLog) {
    presentedItemURL = URL(fileURLWithPath: root)
    presentedItemOperationQueue = OperationQueue()
    presentedItemOperationQueue.maxConcurrentOperationCount = 1
    self.log = log
  }

  func presentedSubitemDidChange(at url: URL) { log.record("-", .notice, "changed", url.path) }
  func presentedSubitemDidAppear(at url: URL) { log.record("-", .notice, "appeared", url.path) }
  func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
    log.record("-", .notice, "moved", oldURL.path, newURL.path)
  }
}

/// Presents one file and counts it up when it is asked to save.
final class TortureEditor: NSObject, NSFilePresenter, Sendable {
  private let url: Mutex<URL?>
  let presentedItemOperationQueue: OperationQueue
  private let thread: TortureThread

  init(_ path: String, _ thread: TortureThread) {
    url = Mutex(URL(fileURLWithPath: path))
    presentedItemOperationQueue = OperationQueue()
    presentedItemOperationQueue.maxConcurrentOperationCount = 1
    self.thread = thread
  }

  var presentedItemURL: URL? { url.withLock { $0 } }
  func presentedItemDidMove(to newURL: URL) { url.withLock { $0 = newURL } }

  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) { reader {} }
  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) { writer {} }
  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    if let url = presentedItemURL { thread.save(url, for: self) }
    completionHandler(nil)
  }
}
