public import Foundation
import LinuxSystem

/// The changes of a file or a directory tree, as a sequence that is read at the reader's own pace.
///
/// ```swift
/// for await change in try await FileChanges(of: directory) {
///   print(change)
/// }
/// ```
///
/// Watching is in force when the initialiser returns, and ends when the sequence and its iterators
/// are gone. **A slow reader loses nothing that matters**: what is not read yet is merged, so that there
/// is at most one change for each item (a file that was written ten times has changed once, one
/// that came and went again was never there) and one for each move. Only when more changes wait
/// than `limit` are they given up for a single ``FileChange/overlooked(_:)``.
///
/// With several iterators each change goes to one of them.
public struct FileChanges: AsyncSequence, Sendable {
  /// What the sequence gives.
  public typealias Element = FileChange
  /// Reading never fails.
  public typealias Failure = Never

  private let mailbox: ChangeMailbox
  private let watch: SharedWatch

  /// Begins to watch the item at `url`, whether or not anything is there now.
  ///
  /// Suspends until everything that happens from now on is seen, and blocks no thread meanwhile.
  ///
  /// - Parameters:
  ///   - url: the item. A link is watched itself, except that a link to a directory is followed once
  ///     if `scope` is ``WatchScope/tree``.
  ///   - scope: how much is watched.
  ///   - limit: how many merged changes may wait for the reader.
  /// - Throws: ``FileWatchingError``, as ``FileWatcher/init(_:scope:onChange:)`` does.
  public init(
    of url: URL,
    scope: WatchScope = .tree,
    limit: Int = 100_000
  ) async throws(FileWatchingError) {
    let root = try FilePath(watching: url)
    let mailbox = ChangeMailbox(root, limit: limit)
    let monitor = ChangeMonitor.shared
    let token = await withCheckedContinuation { started in
      monitor.watch(root, scope: scope, whenSeen: { started.resume(returning: $0) }) { event in
        mailbox.put(event)
      }
    }
    self.mailbox = mailbox
    watch = SharedWatch(monitor, token)
    if let failure = monitor.failure { throw .noResources(url, failure) }
  }

  /// Reads the changes from the first that nobody has read.
  public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox, watch: watch) }

  /// Reads changes one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: ChangeMailbox
    fileprivate let watch: SharedWatch

    /// The next change; suspends until there is one.
    ///
    /// Nil once the task is cancelled, and never otherwise.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async
      -> FileChange?
    {
      await mailbox.next(isolation: actor)
    }
  }
}
