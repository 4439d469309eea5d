import BenchmarkHarness
import FileCoordination
import Foundation
import Synchronization

/// A presenter that answers at once and counts what it hears.
final class QuietPresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL?
  let presentedItemOperationQueue: OperationQueue
  private let asked = Atomic<Int>(0)
  private let changed = Atomic<Int>(0)
  private let board: Board?

  /// Whether somebody asked it to let go or to save.
  var wasAsked: Bool { asked.load(ordering: .relaxed) > 0 }
  /// Whether it heard of a change.
  var sawChange: Bool { changed.load(ordering: .relaxed) > 0 }

  /// - Parameters:
  ///   - path: the item.
  ///   - isDirectory: whether it is one.
  ///   - queue: where it is messaged.
  ///   - board: where it also counts changes, in the word `turn`, for other processes to see.
  init(_ path: String, isDirectory: Bool = false, queue: OperationQueue, board: Board? = nil) {
    self.board = board
    presentedItemURL = URL(
      filePath: path,
      directoryHint: isDirectory ? .isDirectory : .notDirectory
    )
    presentedItemOperationQueue = queue
  }

  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    asked.add(1, ordering: .relaxed)
    reader(nil)
  }

  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    asked.add(1, ordering: .relaxed)
    writer(nil)
  }

  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    asked.add(1, ordering: .relaxed)
    completionHandler(nil)
  }

  func presentedItemDidChange() {
    changed.add(1, ordering: .relaxed)
    if let board { board[.turn] += 1 }
  }

  /// A queue for presenters: serial, as they should be.
  static func serialQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}
