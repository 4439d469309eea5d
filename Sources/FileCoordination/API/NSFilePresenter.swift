public import Foundation

/// An object that shows, or holds in memory, a file or directory that others may read and write.
///
/// Every message but the two property reads runs on ``presentedItemOperationQueue``. A message with a
/// completion handler is waited for: the other program does not go on until the handler was called,
/// the process of the presenter died or is stopped, or the time limit (30 seconds unless set) is
/// over. A presenter that is being messaged and must write in order to answer does so with a
/// coordinator made with itself: that one gets through.
///
/// Requirements that Apple marks optional have defaults here, which mean "not implemented".
/// - Note: Differs from Apple: a subclass can only override what the class that conforms implements.
///
/// Apple symbol: NSFilePresenter.
@preconcurrency
public protocol NSFilePresenter: NSObjectProtocol {
  /// The file or directory that is presented; nil as long as there is none.
  ///
  /// Read on any thread at any time, also from inside coordinator calls.
  var presentedItemURL: URL? { get }

  /// The queue on which this presenter is messaged; use a serial one.
  ///
  /// Read on any thread at any time.
  var presentedItemOperationQueue: OperationQueue { get }

  /// Lets go of the item so that somebody else can read it.
  ///
  /// - Parameter reader: Call it once, with a block that runs when the reader is done, or nil.
  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  )

  /// Lets go of the item so that somebody else can change it.
  ///
  /// - Parameter writer: Call it once, with a block that runs when the writer is done, or nil.
  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  )

  /// Writes unsaved changes, because somebody is about to read the item.
  ///
  /// - Parameter completionHandler: Call it once; an error makes the other's access fail.
  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void)

  /// The same as ``savePresentedItemChanges(completionHandler:)``, for presenters written async.
  func savePresentedItemChanges() async throws

  /// Gets ready for the item's deletion or replacement.
  ///
  /// - Parameter completionHandler: Call it once; an error makes the other's access fail.
  func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  )

  /// The same as ``accommodatePresentedItemDeletion(completionHandler:)``, written async.
  func accommodatePresentedItemDeletion() async throws

  /// Gets ready for the local copy's removal; the default refuses with an error.
  ///
  /// - Parameter completionHandler: Call it once; an error prevents the eviction.
  func accommodatePresentedItemEviction(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  )

  /// The same as ``accommodatePresentedItemEviction(completionHandler:)``, written async.
  func accommodatePresentedItemEviction() async throws

  /// Gets ready for the deletion of an item inside the presented file package.
  ///
  /// - Parameters:
  ///   - url: What is about to be deleted.
  ///   - completionHandler: Call it once; an error makes the deletion fail.
  func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  )

  /// The same as ``accommodatePresentedSubitemDeletion(at:completionHandler:)``, written async.
  func accommodatePresentedSubitemDeletion(at url: URL) async throws

  /// The item has a new URL; from now on return it from ``presentedItemURL``.
  func presentedItemDidMove(to newURL: URL)

  /// The contents or attributes of the item changed; compare before throwing anything away.
  func presentedItemDidChange()

  /// Attributes of the item's place in a cloud changed.
  func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>)

  /// Which attributes the presenter wants to hear of; read once, when it is added.
  var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> { get }

  /// A version of the item was added.
  func presentedItemDidGain(_ version: NSFileVersion)

  /// A version of the item was removed.
  func presentedItemDidLose(_ version: NSFileVersion)

  /// A conflict version of the item was resolved.
  func presentedItemDidResolveConflict(_ version: NSFileVersion)

  /// An item appeared in the presented directory, at any depth.
  func presentedSubitemDidAppear(at url: URL)

  /// An item in the presented directory was moved or renamed.
  func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL)

  /// An item in the presented directory changed or was deleted.
  func presentedSubitemDidChange(at url: URL)

  /// A version of an item in the presented directory was added.
  func presentedSubitem(at url: URL, didGain version: NSFileVersion)

  /// A version of an item in the presented directory was removed.
  func presentedSubitem(at url: URL, didLose version: NSFileVersion)

  /// A conflict version of an item in the presented directory was resolved.
  func presentedSubitem(at url: URL, didResolve version: NSFileVersion)

  /// The main file of which this item is a companion; unused on Linux.
  var primaryPresentedItemURL: URL? { get }
}
