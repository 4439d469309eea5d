import FileCoordination
import Foundation
import LinuxSystem

/// A presenter that prints what it is told and answers at once.
final class WatchingPresenter: NSObject, NSFilePresenter, Sendable {
  private let current: Mutex<URL>
  private let printer: MessagePrinter
  private let queue: OperationQueue

  init(_ path: FilePath, _ printer: MessagePrinter) {
    current = Mutex(path.urlOnDisk)
    self.printer = printer
    queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
  }

  /// The item, where it is now.
  var url: URL { current.withLock { $0 } }

  var presentedItemURL: URL? { url }
  var presentedItemOperationQueue: OperationQueue { queue }

  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    letGo("relinquishPresentedItem(toReader:)", to: "reader", reader)
  }

  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    letGo("relinquishPresentedItem(toWriter:)", to: "writer", writer)
  }

  private func letGo(
    _ message: String,
    to whom: String,
    _ answer: ((@Sendable () -> Void)?) -> Void
  ) {
    tell(message) { $0.for = whom }
    answer { [self] in tell("reacquire") { $0.for = whom } }
  }

  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    tell("savePresentedItemChanges")
    completionHandler(nil)
  }

  func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    tell("accommodatePresentedItemDeletion")
    completionHandler(nil)
  }

  func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    tell("accommodatePresentedSubitemDeletion", subitem: url)
    completionHandler(nil)
  }

  func presentedItemDidMove(to newURL: URL) {
    tell("presentedItemDidMove", new: newURL)
    current.withLock { $0 = newURL }
  }

  func presentedItemDidChange() { tell("presentedItemDidChange") }

  func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {
    tell("presentedItemDidChangeUbiquityAttributes") {
      $0.attributes = attributes.map(\.rawValue).sorted()
    }
  }

  func presentedItemDidGain(_ version: NSFileVersion) {
    tell("presentedItemDidGain")
  }

  func presentedItemDidLose(_ version: NSFileVersion) {
    tell("presentedItemDidLose")
  }

  func presentedItemDidResolveConflict(_ version: NSFileVersion) {
    tell("presentedItemDidResolveConflict")
  }

  func presentedSubitemDidAppear(at url: URL) { tell("presentedSubitemDidAppear", subitem: url) }

  func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
    tell("presentedSubitemDidMove", subitem: oldURL, new: newURL)
  }

  func presentedSubitemDidChange(at url: URL) { tell("presentedSubitemDidChange", subitem: url) }

  func presentedSubitem(at url: URL, didGain version: NSFileVersion) {
    tell("presentedSubitemDidGain", subitem: url)
  }

  func presentedSubitem(at url: URL, didLose version: NSFileVersion) {
    tell("presentedSubitemDidLose", subitem: url)
  }

  func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {
    tell("presentedSubitemDidResolve", subitem: url)
  }

  private func tell(
    _ message: String,
    subitem: URL? = nil,
    new: URL? = nil,
    _ complete: (inout PresenterMessage) -> Void = { _ in }
  ) {
    var told = PresenterMessage(message, url, subitem: subitem, new: new)
    complete(&told)
    printer.print(told)
  }
}
