package import LinuxSystem

/// What happened to a watched item, or to something in a watched tree.
///
/// Paths are spelled the way the watcher spelled its own path, also when that goes through a link.
package enum ChangeEvent: Hashable, Sendable {
  /// The item's contents are others now: written in place, or another file has its name.
  case itemChanged
  /// Only permissions, owner, times or extended attributes of the item changed.
  case itemAttributesChanged
  /// The item is at another path now; watching goes on there.
  case itemMoved(to: FilePath)
  /// The item is gone. Its path stays watched.
  case itemDeleted
  /// Something has the item's path again, or for the first time.
  case itemReturned

  /// Something new is in the tree. Each file is reported by itself, a directory before its contents.
  case subitemAppeared(FilePath)
  /// The contents or attributes of something in the tree are others now.
  case subitemChanged(FilePath)
  /// Something in the tree is gone, with all it held.
  case subitemDeleted(FilePath)
  /// Something in the tree is at another path, with all it holds; that path may lie outside.
  case subitemMoved(from: FilePath, to: FilePath)

  /// A part of what is watched is looked at now and then instead, for this reason.
  case becameDegraded(String)
  /// All that is watched is watched by the kernel again.
  case recovered
}

/// A directory that is looked at now and then, because the kernel does not report its changes.
package struct DegradedTree: Hashable, Sendable {
  /// The topmost directory concerned; what lies below is concerned too.
  package let path: FilePath
  /// Why, and what can be done about it.
  package let reason: String
  /// How long one look is apart from the next at present.
  package let interval: Duration
}
