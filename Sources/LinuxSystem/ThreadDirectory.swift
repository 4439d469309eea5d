import CLinux
import Glibc

/// A working directory of one thread's own.
///
/// Calls that take a path but no directory, as inotify_add_watch(2) does, can then be given an open
/// directory: the thread goes there and says ".". The way through /proc/self/fd costs several times
/// as much. For threads that are ours to their end: they no longer see chdir(2) and umask(2) of the
/// others.
package struct ThreadDirectory: ~Copyable {
  private var isAway = false

  /// For the calling thread, and to be used by it alone; nil where the system does not allow it.
  ///
  /// - SeeAlso: unshare(2) CLONE_FS
  package init?() {
    guard cl_unshare_directory() == 0 else { return nil }
  }

  /// Goes to an open directory; false where it may be read but not entered, or is none.
  ///
  /// - SeeAlso: fchdir(2)
  package mutating func enter(_ directory: CInt) -> Bool {
    guard fchdir(directory) == 0 else { return false }
    isAway = true
    return true
  }

  /// Goes back to the root, so that no other file system is kept busy.
  package mutating func leave() {
    guard isAway, unsafe chdir("/") == 0 else { return }
    isAway = false
  }
}
