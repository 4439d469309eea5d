import CoordinationRuntime
public import Foundation

/// Reads and writes files so that the programs which do likewise wait for each other.
///
/// A call blocks its thread until nobody else does what conflicts with it, in this process or another,
/// then asks the presenters of the item to let go and save, runs the accessor on the calling thread
/// with the URL to use, tells the presenters what happened, and lets the next one in. A process that
/// dies, in its accessor or while it waits, frees everything at once.
///
/// One coordinator belongs to one thread; only ``cancel()`` may be called from any. Make a new one for
/// each operation, with the presenter on whose behalf it works.
///
/// ```swift
/// var error: NSError?
/// let coordinator = NSFileCoordinator(filePresenter: self)
/// coordinator.coordinate(writingItemAt: url, options: [], error: &error) { url in
///   try? text.write(to: url, atomically: false, encoding: .utf8)
/// }
/// ```
///
/// Apple symbol: NSFileCoordinator.
open class NSFileCoordinator: NSObject {
  let core: CoordinatorCore

  /// A coordinator on behalf of no presenter: every presenter is messaged, the caller's own too.
  public override convenience init() { self.init(filePresenter: nil) }

  /// A coordinator on behalf of a presenter, which gets no messages about what it does.
  ///
  /// Coordinators of one presenter never wait for each other, readers and writers alike. The presenter
  /// is held weakly. On the presenter's own queue, the coordinator knows the item under the URL that
  /// the presenter knows, even if the item has moved and the presenter was not told yet.
  /// - Parameter filePresenterOrNil: the presenter; it need not be registered.
  public init(filePresenter filePresenterOrNil: (any NSFilePresenter)?) {
    core = CoordinatorCore(filePresenterOrNil)
    super.init()
  }

  /// What this coordinator's claims are made for; those of one purpose never wait for each other.
  ///
  /// Unique to begin with, and common to all coordinators of one presenter. May be set once, on a
  /// coordinator made without a presenter, to a text that is not empty; anything else traps. Other
  /// processes may use the same text.
  open var purposeIdentifier: String {
    get { core.purpose.identifier }
    set { core.setPurpose(newValue) }
  }

  // MARK: Presenters

  /// Registers a presenter in this process; it is held weakly.
  ///
  /// From the return of this method on, the claims of every process find it. A claim that is under
  /// way may not: read and add inside one coordinated read to leave no gap. Added twice, it must be
  /// removed twice. Blocks for a few system calls, for a directory until it was walked through.
  open class func addFilePresenter(_ filePresenter: any NSFilePresenter) {
    PresenterRegistry.add(filePresenter)
  }

  /// The same, but programs that do not coordinate are only heard of from when `whenWatched` is called
  /// on, on any thread: who must not wait for that compares the item then.
  package static func addFilePresenter(
    _ filePresenter: any NSFilePresenter,
    whenWatched: @escaping @Sendable () -> Void
  ) {
    PresenterRegistry.add(filePresenter, whenWatched: whenWatched)
  }

  /// Takes a registration back; may be called from `deinit`.
  ///
  /// When this returns, no message to the presenter starts any more; one that is running finishes. An
  /// item that it let go of is not given back to it. A presenter that is not registered is ignored.
  open class func removeFilePresenter(_ filePresenter: any NSFilePresenter) {
    PresenterRegistry.remove(filePresenter)
  }

  /// The presenters that are registered in this process, in no order.
  open class var filePresenters: [any NSFilePresenter] { PresenterRegistry.presenters }

  /// How long a presenter may take to answer a message before the access that asks fails.
  ///
  /// 30 seconds unless set; nil waits for ever. For all coordinators of this process. A process that is
  /// stopped is passed over after two seconds, one that died at once, whatever stands here.
  /// - Note: Differs from Apple, where nothing limits the wait.
  public static var presenterTimeLimit: Duration? {
    get { PresenterTimeLimit.current }
    set { PresenterTimeLimit.current = newValue }
  }

  // MARK: Accesses that block

  /// Reads one item.
  ///
  /// Waits for writers, asks the item's presenters to relinquish to a reader and, unless
  /// `withoutChanges`, to save; then runs `reader` once, on the calling thread.
  /// - Parameters:
  ///   - url: the item, a file URL; it need not exist.
  ///   - options: how it is read.
  ///   - outError: set if the accessor was not run, else left alone.
  ///   - reader: gets the URL to use, which is another one if the item moved meanwhile, for
  ///     `resolvesSymbolicLink` and for `forUploading`.
  open func coordinate(
    readingItemAt url: URL,
    options: ReadingOptions = [],
    error outError: NSErrorPointer,
    byAccessor reader: (URL) -> Void
  ) {
    report(to: outError) { () throws(CoordinationError) in
      try accessing([AccessItem(url: url, access: .reading(options))]) { reader($0[0]) }
    }
  }

  /// Writes, deletes or moves one item.
  ///
  /// Waits for readers and writers (for deleting, moving and replacing a directory also for those of
  /// anything inside), asks its presenters to relinquish to a writer and what `options` say, then runs
  /// `writer` once, on the calling thread.
  /// - Parameters:
  ///   - url: the item, a file URL; it need not exist.
  ///   - options: what will be done to it; at most one.
  ///   - outError: set if the accessor was not run, else left alone.
  ///   - writer: gets the URL to use, which is another one if the item moved meanwhile.
  open func coordinate(
    writingItemAt url: URL,
    options: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor writer: (URL) -> Void
  ) {
    report(to: outError) { () throws(CoordinationError) in
      try accessing([AccessItem(url: url, access: .writing(options))]) { writer($0[0]) }
    }
  }

  /// Reads one item and writes another, both claimed in one step so that it cannot deadlock.
  ///
  /// As ``coordinate(readingItemAt:options:error:byAccessor:)`` and
  /// ``coordinate(writingItemAt:options:error:byAccessor:)`` nested, without their danger.
  open func coordinate(
    readingItemAt readingURL: URL,
    options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL,
    options writingOptions: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor readerWriter: (URL, URL) -> Void
  ) {
    report(to: outError) { () throws(CoordinationError) in
      try accessing([
        AccessItem(url: readingURL, access: .reading(readingOptions)),
        AccessItem(url: writingURL, access: .writing(writingOptions)),
      ]) { readerWriter($0[0], $0[1]) }
    }
  }

  /// Writes two items, both claimed in one step so that it cannot deadlock.
  ///
  /// For a move: the source `forMoving`, the destination `forReplacing`, and in the accessor
  /// ``item(at:didMoveTo:)`` after the move.
  open func coordinate(
    writingItemAt url1: URL,
    options options1: WritingOptions = [],
    writingItemAt url2: URL,
    options options2: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor writer: (URL, URL) -> Void
  ) {
    report(to: outError) { () throws(CoordinationError) in
      try accessing([
        AccessItem(url: url1, access: .writing(options1)),
        AccessItem(url: url2, access: .writing(options2)),
      ]) { writer($0[0], $0[1]) }
    }
  }

  /// Has presenters get ready for many accesses at once, then runs a batch of them.
  ///
  /// Messages the presenters of all these items and of all they contain, waits for their answers, and
  /// runs `batchAccessor` on the calling thread. Nothing is claimed meanwhile: the calls nested in the
  /// batch do that, usually with `withoutChanges`. Returns when the batch returns; the presenters get
  /// their items back when the completion handler is called, from any thread.
  /// - Parameters:
  ///   - readingURLs: top-level items that will be read.
  ///   - readingOptions: as for reading one item.
  ///   - writingURLs: top-level items that will be written.
  ///   - writingOptions: as for writing one item.
  ///   - outError: set if the batch was not run, else left alone.
  ///   - batchAccessor: gets the completion handler, to be called once when all is done.
  open func prepare(
    forReadingItemsAt readingURLs: [URL],
    options readingOptions: ReadingOptions = [],
    writingItemsAt writingURLs: [URL],
    options writingOptions: WritingOptions = [],
    error outError: NSErrorPointer,
    byAccessor batchAccessor: (@escaping @Sendable () -> Void) -> Void
  ) {
    report(to: outError) { () throws(CoordinationError) in
      let items =
        readingURLs.map { AccessItem(url: $0, access: .reading(readingOptions)) }
        + writingURLs.map { AccessItem(url: $0, access: .writing(writingOptions)) }
      let preparation = PreparedBatch(core, items)
      try preparation.begin()
      batchAccessor { preparation.finish() }
    }
  }

  // MARK: Accesses that do not block

  /// Reads and writes any number of items, claimed in one step, without blocking the caller.
  ///
  /// A thread of ours waits; then `accessor` runs once on `queue`, with nil or with the reason why
  /// nothing may be accessed. The access lasts until it returns. The URLs to use stand in the intents.
  /// - Parameters:
  ///   - intents: the items; an intent must not be in two calls at once.
  ///   - queue: where the accessor runs; it may be the main queue.
  ///   - accessor: is called exactly once.
  open func coordinate(
    with intents: [NSFileAccessIntent],
    queue: OperationQueue,
    byAccessor accessor: @escaping @Sendable ((any Error)?) -> Void
  ) {
    QueuedAccess.start(core, intents, queue, accessor)
  }

  // MARK: What the accessor did

  /// Says that an item will be moved; does nothing.
  ///
  /// Sandboxed programs of another system need it.
  open func item(at oldURL: URL, willMoveTo newURL: URL) {}

  /// Says that an item was moved: call it inside a writing accessor, after the move.
  ///
  /// Calls that wait for the item, or for anything inside, go on at its new place. Presenters are told
  /// when the accessor returned. Two URLs of the same place are harmless.
  open func item(at oldURL: URL, didMoveTo newURL: URL) {
    MoveAnnouncement.announce(oldURL, newURL, by: core)
  }

  /// Says that attributes of the item's place in a cloud changed.
  ///
  /// Sent, in every process, to the item's presenters that observe any of them. Does not block.
  open func item(at url: URL, didChangeUbiquityAttributes attributes: Set<URLResourceKey>) {
    UbiquityAnnouncement.announce(url, attributes, by: core)
  }

  // MARK: Cancelling

  /// Ends the calls that wait, and lets no later call of this coordinator run its accessor.
  ///
  /// May be called from any thread; returns at once. A call that waits reports
  /// `CocoaError.userCancelled` (3072) and does not run its accessor; one whose accessor runs returns
  /// when the accessor does. Presenters that were asked get their items back.
  open func cancel() { core.cancel() }
}

extension NSFileCoordinator {
  /// Runs a body of our style for a caller of Apple's.
  private func report(
    to outError: NSErrorPointer,
    _ body: () throws(CoordinationError) -> Void
  ) {
    do throws(CoordinationError) { try body() } catch {
      outError?.pointee = error.nsError
    }
  }

  /// One whole access on the calling thread.
  private func accessing(
    _ items: [AccessItem],
    _ accessor: ([URL]) -> Void
  ) throws(CoordinationError) {
    try BlockingAccess.run(core, items, accessor)
  }
}
