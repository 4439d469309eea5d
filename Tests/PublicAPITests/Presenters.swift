import FileCoordination
import Foundation

// Presenters as clients write them. That this compiles is the test.

/// A lazy queue, as most code for Apple's systems has it.
class LazyQueuePresenter: NSObject, NSFilePresenter {
  var presentedItemURL: URL?
  lazy var presentedItemOperationQueue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }()

  init(_ url: URL?) { presentedItemURL = url }
}

/// Leaves the registry when its last owner lets go.
final class SelfRemovingPresenter: NSObject, NSFilePresenter {
  let presentedItemURL: URL?
  let presentedItemOperationQueue = OperationQueue.main

  init(_ url: URL) {
    presentedItemURL = url
    super.init()
    NSFileCoordinator.addFilePresenter(self)
  }

  deinit { NSFileCoordinator.removeFilePresenter(self) }
}

/// Every requirement, in the completion spelling.
final class WholePresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL? = URL(fileURLWithPath: "/nowhere")
  let presentedItemOperationQueue = OperationQueue()
  let primaryPresentedItemURL: URL? = nil
  let observedPresentedItemUbiquityAttributes: Set<URLResourceKey> = []

  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) { reader {} }
  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) { writer(nil) }
  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    completionHandler(nil)
  }
  func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) { completionHandler(nil) }
  func accommodatePresentedItemEviction(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) { completionHandler(nil) }
  func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) { completionHandler(nil) }
  func presentedItemDidMove(to newURL: URL) {}
  func presentedItemDidChange() {}
  func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
  func presentedItemDidGain(_ version: NSFileVersion) {}
  func presentedItemDidLose(_ version: NSFileVersion) {}
  func presentedItemDidResolveConflict(_ version: NSFileVersion) {}
  func presentedSubitemDidAppear(at url: URL) {}
  func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {}
  func presentedSubitemDidChange(at url: URL) {}
  func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
  func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
  func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}
}

/// The async twins.
final class AsyncPresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL? = nil
  let presentedItemOperationQueue = OperationQueue()

  func savePresentedItemChanges() async throws { throw CocoaError(.fileWriteOutOfSpace) }
  func accommodatePresentedItemDeletion() async throws {}
  func accommodatePresentedItemEviction() async throws {}
  func accommodatePresentedSubitemDeletion(at url: URL) async throws {}
}

/// On the main actor, as a view model would be; the two properties are read on any thread.
@MainActor
final class MainActorPresenter: NSObject, @preconcurrency NSFilePresenter {
  nonisolated let presentedItemURL: URL? = nil
  nonisolated let presentedItemOperationQueue = OperationQueue.main
  var changes = 0
  func presentedItemDidChange() { changes += 1 }
}
