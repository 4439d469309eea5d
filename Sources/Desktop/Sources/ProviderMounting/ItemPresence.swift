import Dispatch
import FileCoordination
import Foundation
import Fuse
import Synchronization

/// Presents the items that programs have open for reading, so that their provider does not take the
/// contents away meanwhile.
///
/// No claim does that: whoever writes must not wait for a program that keeps a file open.
final class ItemPresence: Sendable {
  /// Says yes to whatever is asked of it: what is read is in the kernel's hands.
  private final class Presenter: NSObject, NSFilePresenter, Sendable {
    let presentedItemURL: URL?
    let presentedItemOperationQueue: OperationQueue
    init(_ url: URL, _ queue: OperationQueue) {
      presentedItemURL = url
      presentedItemOperationQueue = queue
      super.init()
    }
  }
  private struct Presence: Sendable {
    let presenter: Presenter
    var users = 0
    /// Counts who began to use it, so that an idle one is told from one that was used meanwhile.
    var uses = 0
  }
  private let presences = Mutex<[ItemPath: Presence]>([:])
  private let folder: [UInt8]
  /// Never waits for anything.
  private let queue = OperationQueue()
  private let removals = DispatchQueue(label: "presence")
  /// Beginning costs some milliseconds, and who opens one file soon opens more.
  private static let linger = DispatchTimeInterval.seconds(2)

  init(in folder: [UInt8]) {
    self.folder = folder
    queue.maxConcurrentOperationCount = 1
  }

  /// From now on the item is presented; by whom, who reads it should coordinate.
  func begin(_ path: ItemPath) -> any NSFilePresenter & Sendable {
    let new = Presenter(path.url(in: folder), queue)
    let presenter = presences.withLock { presences in
      var presence = presences[path] ?? Presence(presenter: new)
      presence.users += 1
      presence.uses += 1
      presences[path] = presence
      return presence.presenter
    }
    if presenter === new { NSFileCoordinator.addFilePresenter(presenter) }
    return presenter
  }

  func end(_ path: ItemPath) {
    let uses = presences.withLock { presences -> Int? in
      presences[path]?.users -= 1
      guard let presence = presences[path], presence.users == 0 else { return nil }
      return presence.uses
    }
    guard let uses else { return }
    removals.asyncAfter(deadline: .now() + Self.linger) { [weak self] in
      self?.remove(path, idleSince: uses)
    }
  }

  private func remove(_ path: ItemPath, idleSince uses: Int) {
    let idle = presences.withLock { presences -> Presenter? in
      guard let presence = presences[path], presence.users == 0, presence.uses == uses else {
        return nil
      }
      presences[path] = nil
      return presence.presenter
    }
    if let idle { NSFileCoordinator.removeFilePresenter(idle) }
  }
}
