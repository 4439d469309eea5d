import CLinux
import Glibc

/// What a kernel watch asks for, and what a record says happened.
///
/// - SeeAlso: inotify(7)
package struct InotifyMask: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  // Asked for and reported.
  package static let modified = InotifyMask(rawValue: 0x2)
  package static let attributes = InotifyMask(rawValue: 0x4)
  package static let closedAfterWriting = InotifyMask(rawValue: 0x8)
  package static let opened = InotifyMask(rawValue: 0x20)
  package static let movedFrom = InotifyMask(rawValue: 0x40)
  package static let movedTo = InotifyMask(rawValue: 0x80)
  package static let created = InotifyMask(rawValue: 0x100)
  package static let deleted = InotifyMask(rawValue: 0x200)
  package static let selfDeleted = InotifyMask(rawValue: 0x400)
  package static let selfMoved = InotifyMask(rawValue: 0x800)

  // Reported only.
  package static let unmounted = InotifyMask(rawValue: 0x2000)
  package static let overflowed = InotifyMask(rawValue: 0x4000)
  package static let ignored = InotifyMask(rawValue: 0x8000)
  package static let isDirectory = InotifyMask(rawValue: 0x4000_0000)

  // Asked for only.
  /// Fail unless the object is a directory.
  package static let onlyDirectory = InotifyMask(rawValue: 0x100_0000)
  /// Nothing about a child whose name is gone.
  package static let excludeUnlinked = InotifyMask(rawValue: 0x400_0000)
  /// Add to what is asked of the object already, instead of replacing it.
  package static let add = InotifyMask(rawValue: 0x2000_0000)
}
