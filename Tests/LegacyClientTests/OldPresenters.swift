import FileCoordination
import Foundation

// Presenters as they were written before the methods were marked Sendable. That this compiles, with
// warnings, is the test (ruling 27).

/// `(() -> Void)?` without a word about threads.
class OldPresenter: NSObject, NSFilePresenter {
  var presentedItemURL: URL?
  var presentedItemOperationQueue: OperationQueue = OperationQueue.main
  var changes = 0

  init(url: URL) {
    presentedItemURL = url
    super.init()
  }

  func relinquishPresentedItem(toReader reader: @escaping ((() -> Void)?) -> Void) {
    reader { self.changes += 1 }
  }

  func relinquishPresentedItem(toWriter writer: @escaping ((() -> Void)?) -> Void) {
    writer(nil)
  }

  func savePresentedItemChanges(completionHandler: @escaping (Error?) -> Void) {
    completionHandler(nil)
  }

  func accommodatePresentedItemDeletion(completionHandler: @escaping (Error?) -> Void) {
    presentedItemURL = nil
    completionHandler(nil)
  }

  func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping (Error?) -> Void
  ) {
    completionHandler(nil)
  }

  func presentedItemDidChange() { changes += 1 }
  func presentedItemDidMove(to newURL: URL) { presentedItemURL = newURL }
}

/// A subclass of an old presenter that overrides what its base implements.
class OldDirectoryPresenter: OldPresenter {
  override func presentedItemDidChange() { super.presentedItemDidChange() }
  override func relinquishPresentedItem(toWriter writer: @escaping ((() -> Void)?) -> Void) {
    writer { [weak self] in self?.presentedItemDidChange() }
  }
}
