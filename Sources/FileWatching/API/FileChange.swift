public import Foundation

/// What happened to a watched file, or to something in a watched directory.
///
/// URLs are spelled the way the watcher's own URL was, also when that goes through links. Names that
/// are not UTF-8 survive in the URL's percent-encoded text, not in `URL.path`.
public enum FileChange: Hashable, Sendable {
  /// Something is there that was not; a directory comes before what is in it, and each file in it
  /// comes by itself.
  case appeared(URL)
  /// Its contents or its attributes are others now, or another file has its name.
  ///
  /// One save by a program is one change, however the program saves.
  case changed(URL)
  /// It is gone; what was in a directory comes before it.
  case deleted(URL)
  /// It is at another place now, with all it holds.
  ///
  /// Both places are watched: what leaves a watched tree is `deleted`, what comes into one has
  /// `appeared`. A watched item itself is followed wherever it goes on its file system.
  case moved(from: URL, to: URL)
  /// The reader fell so far behind that single changes were given up: everything at or below the
  /// URL has to be looked at anew.
  ///
  /// Only ``FileChanges`` gives it; what comes after it is complete again.
  case overlooked(URL)
  /// The kernel does not report changes in a part of what is watched; that part is looked at now and
  /// then instead, for the reason given, which says what can be done about it.
  case degraded(reason: String)
  /// The kernel reports everything again.
  case recovered
}
