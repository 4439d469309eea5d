public import Foundation

// What "not implemented" means, requirement by requirement. The completion form calls the async
// form, whose default does nothing: whichever of the two a presenter implements is the one that runs.
extension NSFilePresenter {
  /// Lets go at once and wants no word when the reader is done.
  public func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) { reader(nil) }

  /// Lets go at once and wants no word when the writer is done.
  public func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) { writer(nil) }

  /// Calls the async form.
  public func savePresentedItemChanges(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    answer(completionHandler) { try await $0.savePresentedItemChanges() }
  }
  /// Nothing is unsaved.
  public func savePresentedItemChanges() async throws {}

  /// Calls the async form.
  public func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    answer(completionHandler) { try await $0.accommodatePresentedItemDeletion() }
  }
  /// Has no objection.
  public func accommodatePresentedItemDeletion() async throws {}

  /// Calls the async form.
  public func accommodatePresentedItemEviction(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    answer(completionHandler) { try await $0.accommodatePresentedItemEviction() }
  }
  /// Refuses: a presenter that does not say how cannot be evicted under.
  public func accommodatePresentedItemEviction() async throws {
    throw CocoaError(.featureUnsupported)
  }

  /// Calls the async form.
  public func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    answer(completionHandler) { try await $0.accommodatePresentedSubitemDeletion(at: url) }
  }
  /// Has no objection.
  public func accommodatePresentedSubitemDeletion(at url: URL) async throws {}

  /// Ignored.
  public func presentedItemDidMove(to newURL: URL) {}
  /// Ignored.
  public func presentedItemDidChange() {}
  /// Ignored.
  public func presentedItemDidChangeUbiquityAttributes(_ attributes: Set<URLResourceKey>) {}
  /// Every ubiquity attribute there is.
  public var observedPresentedItemUbiquityAttributes: Set<URLResourceKey> {
    Set(UbiquityAttributes.all)
  }
  /// Ignored.
  public func presentedItemDidGain(_ version: NSFileVersion) {}
  /// Ignored.
  public func presentedItemDidLose(_ version: NSFileVersion) {}
  /// Ignored.
  public func presentedItemDidResolveConflict(_ version: NSFileVersion) {}

  /// Counts as a change of the presented directory.
  public func presentedSubitemDidAppear(at url: URL) { presentedItemDidChange() }
  /// Counts as a change of the presented directory.
  public func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) { presentedItemDidChange() }
  /// Counts as a change of the presented directory.
  public func presentedSubitemDidChange(at url: URL) { presentedItemDidChange() }
  /// Ignored.
  public func presentedSubitem(at url: URL, didGain version: NSFileVersion) {}
  /// Ignored.
  public func presentedSubitem(at url: URL, didLose version: NSFileVersion) {}
  /// Ignored.
  public func presentedSubitem(at url: URL, didResolve version: NSFileVersion) {}
  /// There is none.
  public var primaryPresentedItemURL: URL? { nil }

  private func answer(
    _ completionHandler: @escaping @Sendable ((any Error)?) -> Void,
    _ body: @escaping @Sendable (any NSFilePresenter) async throws -> Void
  ) {
    let presenter = PresenterReference(self)
    // Somebody is blocked until the answer comes, maybe every cooperative thread there is.
    Task(executorPreference: SuspendingAccess.threads) {
      do {
        try await body(presenter.object)
        completionHandler(nil)
      } catch {
        completionHandler(error)
      }
    }
  }
}
