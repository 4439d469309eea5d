import FileCoordination
import Foundation

/// Hears of every change in the folder.
final class FolderPresenter: NSObject, NSFilePresenter, Sendable {
  private let url: URL
  private let queue = OperationQueue()
  private let changed: @Sendable () -> Void

  init(_ url: URL, changed: @escaping @Sendable () -> Void) {
    self.url = url
    self.changed = changed
    queue.maxConcurrentOperationCount = 1
  }

  var presentedItemURL: URL? { url }
  var presentedItemOperationQueue: OperationQueue { queue }

  /// What comes, goes, moves and changes inside is told by this as well.
  func presentedItemDidChange() { changed() }
}
