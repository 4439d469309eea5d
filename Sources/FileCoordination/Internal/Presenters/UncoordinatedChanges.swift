import FileWatching
import Foundation
import LinuxSystem

/// What programs that know nothing of us do to presented items, turned into messages.
enum UncoordinatedChanges {
  /// The monitor of this process, which judges nothing before it has heard whose doing it may be.
  private static var monitor: ChangeMonitor {
    let monitor = ChangeMonitor.shared
    if monitor.precedence == nil { monitor.precedence = { PresenterNetwork.settle() } }
    return monitor
  }

  /// Watches a presenter's item: a file by itself, a directory with all it holds.
  ///
  /// With `whenSeen` it returns at once; that is called when the watch is in force.
  static func watch(
    _ record: PresenterRecord,
    _ place: PresenterPlace,
    whenSeen: (@Sendable () -> Void)? = nil
  ) -> WatchToken? {
    let scope: WatchScope = place.isDirectory ? .tree : .item
    let handler: @Sendable (ChangeEvent) -> Void = { [weak record] event in
      if let record { tell(record, event) }
    }
    guard let whenSeen else { return monitor.watch(place.canonical, scope: scope, handler) }
    return monitor.watch(place.canonical, scope: scope, whenSeen: { _ in whenSeen() }, handler)
  }

  static func unwatch(_ token: WatchToken) { monitor.unwatch(token) }

  static func retarget(_ token: WatchToken, to path: FilePath) {
    monitor.retarget(token, to: path)
  }

  /// Has `heard` called when a directory is taken from us; see ``PresenterHost``.
  static func guardDirectory(
    _ directory: SharedDescriptor,
    isInForce: @escaping @Sendable (Bool) -> Void,
    heard: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    let monitor = monitor
    let token = monitor.guardDirectory(directory, isInForce: isInForce, heard: heard)
    return { monitor.dismiss(token) }
  }

  /// From now on changes below these paths are an accessor's doing; nil if nobody here watches.
  static func openWindow(over paths: [FilePath], isLate: Bool) -> WindowID? {
    guard !PresenterRegistry.isEmpty else { return nil }
    return monitor.openWindow(over: paths, isLate: isLate)
  }

  /// From now on they are strangers' again; those that were made are told unless `isTold` says that
  /// somebody else does.
  static func closeWindow(
    _ window: WindowID,
    isTold: Bool,
    _ done: @escaping @Sendable () -> Void
  ) {
    monitor.closeWindow(window, isTold: isTold, done)
  }

  /// Runs on the monitor's thread.
  private static func tell(_ record: PresenterRecord, _ event: ChangeEvent) {
    guard let place = record.place else { return }
    // Made on the presenter's queue: this thread has others to tell.
    @Sendable func url(_ path: FilePath) -> URL { place.spelling(of: path).urlOnDisk }
    switch event {
    case .itemChanged, .itemAttributesChanged, .itemReturned:
      record.deliver { $0.presentedItemDidChange() }
    case .itemMoved(let path):
      let old = place.canonical
      if let moved = PresenterRegistry.reanchor(record, to: path) {
        // Before the presenter hears of it: it may look for its versions then.
        record.deliver { _ in VersionMoves.follow(old, to: path) }
        record.deliverMove(to: moved)
      }
    case .itemDeleted:
      record.deliver { $0.accommodatePresentedItemDeletion { _ in } }
    case .subitemAppeared(let path):
      record.deliver(isNews: true) { $0.presentedSubitemDidAppear(at: url(path)) }
    case .subitemChanged(let path), .subitemDeleted(let path):
      record.deliver(isNews: true) { $0.presentedSubitemDidChange(at: url(path)) }
    case .subitemMoved(let old, let new):
      record.deliver(isNews: true) {
        $0.presentedSubitem(at: place.spelling(of: old).url(), didMoveTo: url(new))
      }
    case .becameDegraded(let reason):
      Diagnostics.report("\(place.spelled) is polled: \(reason)")
      PolledTrees.publish(monitor.degraded)
    case .recovered:
      PolledTrees.publish(monitor.degraded)
    }
  }
}
