public import Foundation
import LinuxSystem

/// Calls a closure with every change of a file or a directory tree, whoever makes it.
///
/// One thread and one inotify instance serve all watchers of a process, and the presenters of
/// `FileCoordination` with them. A process that dies leaves nothing behind.
///
/// - SeeAlso: ``FileChanges``, which is read at the reader's own pace; inotify(7)
public final class FileWatcher: Sendable {
  private let watch: SharedWatch

  /// Begins to watch the item at `url`, whether or not anything is there now.
  ///
  /// Blocks until everything that happens from now on is seen: for a directory until one walk through
  /// its directories is over, some 20 µs for each.
  ///
  /// - Parameters:
  ///   - url: the item. A link is watched itself, except that a link to a directory is followed once
  ///     if `scope` is ``WatchScope/tree``.
  ///   - scope: how much is watched.
  ///   - onChange: called on the watching thread, one call at a time, in the order of the changes. It
  ///     must not block: everybody else's changes wait for it. The thread has a working directory of its
  ///     own: relative paths mean nothing on it.
  /// - Throws: ``FileWatchingError/Code/notAFileURL``; ``FileWatchingError/Code/noResources`` when the
  ///   process may have no more threads or descriptors. Too few inotify watches or instances are no
  ///   error: what cannot be watched is polled, and ``FileChange/degraded(reason:)`` says so.
  public init(
    _ url: URL,
    scope: WatchScope = .tree,
    onChange: @escaping @Sendable (FileChange) -> Void
  ) throws(FileWatchingError) {
    let root = try FilePath(watching: url)
    let translator = ChangeTranslator(root)
    let monitor = ChangeMonitor.shared
    let token = monitor.watch(root, scope: scope) { event in onChange(translator.change(event)) }
    watch = SharedWatch(monitor, token)
    if let failure = monitor.failure { throw .noResources(url, failure) }
  }

  /// Ends the watch; also what happens when the last reference goes.
  ///
  /// No call begins after it returns, one that is running finishes. Never blocks.
  public func stop() { watch.end() }

  /// What this process looks at now and then, because the kernel does not report it.
  ///
  /// Empty as long as everything is well. Never blocks.
  public static var polledTrees: [PolledTree] {
    ChangeMonitor.shared.degraded.map {
      PolledTree(url: $0.path.watchedURL, reason: $0.reason, interval: $0.interval)
    }
  }
}

/// A directory that is looked at now and then, because the kernel does not report its changes.
public struct PolledTree: Hashable, Sendable {
  /// The topmost directory concerned; what lies below is concerned too.
  public let url: URL
  /// Why, and what can be done about it.
  public let reason: String
  /// How long one look is apart from the next at present: short while changes are found, longer and
  /// longer while none are, and never less than twenty times what a look takes.
  public let interval: Duration
}
