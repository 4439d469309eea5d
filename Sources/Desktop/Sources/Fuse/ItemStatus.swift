import CFuse
import Glibc

/// What is known of an item.
///
/// - SeeAlso: stat(2)
public struct ItemStatus: Sendable, Equatable {
  /// What kinds of items there are.
  public enum Kind: Sendable {
    case file, directory, link, other
  }
  /// A moment.
  public struct Moment: Hashable, Sendable {
    /// Seconds of the epoch.
    public var seconds: Int
    /// The rest.
    public var nanoseconds: Int
    /// That moment.
    public init(seconds: Int, nanoseconds: Int) {
      self.seconds = seconds
      self.nanoseconds = nanoseconds
    }
  }
  /// What tells one state of a file from another.
  public struct Stamp: Hashable, Sendable {
    let inode: UInt64
    let size: Int64
    let modified: Moment
    let changed: Moment
  }

  var raw: stat

  init(_ raw: stat) { self.raw = raw }

  /// What it is.
  public var kind: Kind {
    switch raw.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .link
    default: .other
    }
  }
  /// How long it is.
  public var size: Int64 { Int64(raw.st_size) }
  /// When it was last modified.
  public var modified: Moment {
    Moment(seconds: raw.st_mtim.tv_sec, nanoseconds: raw.st_mtim.tv_nsec)
  }
  /// Its permission bits.
  public var permissions: UInt32 { raw.st_mode & 0o7777 }
  /// Which file of its file system.
  public var inode: UInt64 { UInt64(raw.st_ino) }
  /// Its state.
  public var stamp: Stamp {
    Stamp(
      inode: UInt64(raw.st_ino),
      size: size,
      modified: modified,
      changed: Moment(seconds: raw.st_ctim.tv_sec, nanoseconds: raw.st_ctim.tv_nsec)
    )
  }

  /// The same, but for the times of another.
  public func withTimes(of other: ItemStatus) -> ItemStatus {
    var changed = self
    changed.raw.st_mtim = other.raw.st_mtim
    changed.raw.st_ctim = other.raw.st_ctim
    return changed
  }

  /// Whether nothing was written between the two.
  public func hasContents(of other: ItemStatus) -> Bool {
    raw.st_ino == other.raw.st_ino && size == other.size && modified == other.modified
  }

  /// What a file that is not here will look like: the owner is its placeholder's, the permissions are
  /// those that a new file gets.
  public func promising(
    size: Int64,
    modified: Moment?,
    isDirectory: Bool,
    mask: UInt32
  ) -> ItemStatus {
    var promised = self
    promised.raw.st_mode = isDirectory ? S_IFDIR | (0o777 & ~mask) : S_IFREG | (0o666 & ~mask)
    promised.raw.st_nlink = 1
    promised.raw.st_size = off_t(size)
    // It takes no room yet.
    promised.raw.st_blocks = 0
    if let modified {
      promised.raw.st_mtim = timespec(tv_sec: modified.seconds, tv_nsec: modified.nanoseconds)
    }
    return promised
  }

  /// Whether both say the same of an item.
  public static func == (a: ItemStatus, b: ItemStatus) -> Bool {
    a.stamp == b.stamp && a.raw.st_mode == b.raw.st_mode
  }
}
