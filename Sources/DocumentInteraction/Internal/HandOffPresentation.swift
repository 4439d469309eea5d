import FileCoordination
package import Foundation
import LinuxSystem

/// A file that another program has: presented for as long as this lives.
@MainActor final class HandOffPresentation {
  let presenter: HandOffPresenter

  init(
    _ url: URL,
    didChange: @escaping @MainActor () -> Void,
    didMove: @escaping @MainActor (URL) -> Void
  ) {
    presenter = HandOffPresenter(url, didChange: didChange, didMove: didMove)
    NSFileCoordinator.addFilePresenter(presenter)
  }

  deinit { NSFileCoordinator.removeFilePresenter(presenter) }
}

/// Lets everybody have the file, and says what they did with it.
package final class HandOffPresenter: NSObject, NSFilePresenter, Sendable {
  private let current: Mutex<URL>
  private let queue = OperationQueue()
  private let didChange: @MainActor @Sendable () -> Void
  private let didMove: @MainActor @Sendable (URL) -> Void

  init(
    _ url: URL,
    didChange: @escaping @MainActor @Sendable () -> Void,
    didMove: @escaping @MainActor @Sendable (URL) -> Void
  ) {
    current = Mutex(url)
    self.didChange = didChange
    self.didMove = didMove
    queue.maxConcurrentOperationCount = 1
  }

  package var presentedItemURL: URL? { current.withLock { $0 } }
  package var presentedItemOperationQueue: OperationQueue { queue }

  package func presentedItemDidChange() {
    let tell = didChange
    Task { @MainActor in tell() }
  }

  package func presentedItemDidMove(to newURL: URL) {
    current.withLock { $0 = newURL }
    let tell = didMove
    Task { @MainActor in tell(newURL) }
  }
}
