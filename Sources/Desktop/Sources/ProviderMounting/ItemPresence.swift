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
    var users = 1
  }
  private let presences = Mutex<[ItemPath: Presence]>([:])
  private let folder: [UInt8]
  /// Never waits for anything.
  private let queue = OperationQueue()

  init(in folder: [UInt8]) {
    self.folder = folder
    queue.maxConcurrentOperationCount = 1
  }

  func begin(_ path: ItemPath) {
    let presenter = Presenter(path.url(in: folder), queue)
    let isFirst = presences.withLock { presences in
      if presences[path] != nil {
        presences[path]?.users += 1
        return false
      }
      presences[path] = Presence(presenter: presenter)
      return true
    }
    if isFirst { NSFileCoordinator.addFilePresenter(presenter) }
  }

  func end(_ path: ItemPath) {
    let last = presences.withLock { presences -> Presenter? in
      presences[path]?.users -= 1
      guard let presence = presences[path], presence.users == 0 else { return nil }
      presences[path] = nil
      return presence.presenter
    }
    if let last { NSFileCoordinator.removeFilePresenter(last) }
  }
}
