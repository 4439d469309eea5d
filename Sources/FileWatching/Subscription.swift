import LinuxSystem
import Synchronization

/// How much is watched.
public enum WatchScope: Sendable {
  /// One name: a file, or a directory without its contents.
  case item
  /// A directory with everything below; a file where the path has none.
  case tree
}

/// A watch that was asked for; give it back with ``ChangeMonitor/unwatch(_:)``.
package struct WatchToken: Hashable, Sendable {
  let number: UInt64
}

/// What a watcher shares with the engine.
final class Listener: Sendable {
  let token: WatchToken
  let scope: WatchScope
  private let handler: @Sendable (ChangeEvent) -> Void
  private let isListening = Atomic<Bool>(true)

  init(
    _ token: WatchToken,
    _ scope: WatchScope,
    _ handler: @escaping @Sendable (ChangeEvent) -> Void
  ) {
    self.token = token
    self.scope = scope
    self.handler = handler
  }

  func stop() { isListening.store(false, ordering: .releasing) }
  func tell(_ event: ChangeEvent) {
    if isListening.load(ordering: .acquiring) { handler(event) }
  }
}

/// A watcher's place in the engine.
final class Subscription {
  let listener: Listener
  /// The directory that holds the item, and the item's name in it.
  ///
  /// Nil before it has a place.
  var node: Node?
  var name: Name = []
  var spelling: PathSpelling
  /// Open on the item (O_PATH): says where it went.
  var descriptor: SharedDescriptor?
  var isMissing = false
  var isDegraded = false
  /// The kernel watch on the file itself, when it has several names.
  var selfWatch: Int32?

  init(_ listener: Listener, at path: FilePath) {
    self.listener = listener
    spelling = PathSpelling(canonical: path, spelled: path)
  }

  var path: FilePath { node?.path(name) ?? spelling.canonicalBase }
  func tell(_ event: ChangeEvent) { listener.tell(event) }
}
