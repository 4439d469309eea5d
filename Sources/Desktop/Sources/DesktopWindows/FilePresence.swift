import FileCoordination
import Foundation
import Synchronization

/// Tells a window what happens to the file that it shows, by whomever, and lets everybody have it.
final class FilePresence: NSObject, NSFilePresenter, Sendable {
  /// What happened.
  enum Event: Sendable {
    case changed
    case moved(URL)
    case deleted
  }

  private let current: Mutex<URL>
  private let queue = OperationQueue()
  private let tell: @MainActor @Sendable (Event) -> Void

  init(_ url: URL, tell: @escaping @MainActor @Sendable (Event) -> Void) {
    current = Mutex(url)
    self.tell = tell
    queue.maxConcurrentOperationCount = 1
  }

  var presentedItemURL: URL? { current.withLock { $0 } }
  var presentedItemOperationQueue: OperationQueue { queue }

  private func pass(_ event: Event) {
    let tell = tell
    Task { @MainActor in tell(event) }
  }

  func presentedItemDidChange() { pass(.changed) }

  func presentedItemDidMove(to newURL: URL) {
    current.withLock { $0 = newURL }
    pass(.moved(newURL))
  }

  func accommodatePresentedItemDeletion() async throws { pass(.deleted) }
}
