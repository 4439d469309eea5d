import LinuxSystem
import FileCoordination
import Foundation

/// A presenter that unregisters when its last owner lets go, as much public code does.
final class SelfRemovingPresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL?
  let presentedItemOperationQueue: OperationQueue
  private let life: Life

  /// What is known of a presenter after it is gone.
  final class Life: Sendable {
    private let isOver = Mutex(false)
    func end() { isOver.withLock { $0 = true } }
    func message() {
      if isOver.withLock({ $0 }) { Output.emit("churn", "messagedAfterEnd") }
    }
  }

  init(_ url: URL, _ queue: OperationQueue) {
    presentedItemURL = url
    presentedItemOperationQueue = queue
    life = Life()
    super.init()
    NSFileCoordinator.addFilePresenter(self)
  }

  deinit {
    NSFileCoordinator.removeFilePresenter(self)
    life.end()
  }

  func presentedItemDidChange() { life.message() }
  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    life.message()
    writer(nil)
  }
}
