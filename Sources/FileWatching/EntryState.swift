import LinuxSystem

/// What is remembered of one name: enough to tell two states of it apart.
struct EntryState {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let modified: FileStatus.Time
  let changed: FileStatus.Time
  let permissions: UInt32
  let owner: UInt32
  let group: UInt32
  let kind: FileStatus.Kind
  let hasSeveralNames: Bool
  /// Whether it was looked at within the clock tick of its last change: one more write in that tick
  /// would leave no trace in it.
  let isFresh: Bool

  /// The state of `path`; nil when nothing is there.
  ///
  /// - Throws: what lstat(2) fails with when it cannot say.
  init?(at path: FilePath) throws(SystemError) {
    do {
      self.init(try FileStatus(of: path))
    } catch  where error.code == .noEntry || error.code == .notDirectory {
      return nil
    }
  }

  init(_ status: FileStatus) {
    device = status.device
    inode = status.inode
    size = status.size
    modified = status.modified
    changed = status.changed
    permissions = status.permissions
    owner = status.owner
    group = status.group
    kind = status.kind
    hasSeveralNames = status.kind == .regular && status.links > 1
    let age =
      WallClock.nanoseconds - Int64(status.modified.seconds) * 1_000_000_000
      - Int64(status.modified.nanoseconds)
    // A tick is 10 ms at most (CONFIG_HZ 100).
    isFresh = age < 10_000_000
  }

  var identity: Identity { Identity(device: device, inode: inode) }

  /// How this state became `new`.
  func difference(to new: EntryState, seen: Pending.Flags) -> Difference {
    if identity != new.identity || kind != new.kind { return .replaced }
    let access = (permissions, owner, group) != (new.permissions, new.owner, new.group)
    if kind == .directory {
      // Its times change with its contents, which are reported by themselves.
      if access { return .access }
      return seen.contains(.attributes) && changed != new.changed ? .times : .none
    }
    if size != new.size { return .content }
    if modified != new.modified {
      return seen.isDisjoint(with: [.written, .named, .scanned]) ? .times : .content
    }
    if isFresh, seen.contains(.modified) { return .content }
    if access { return .access }
    return !seen.isDisjoint(with: [.attributes, .scanned]) && changed != new.changed
      ? .times : .none
  }

  enum Difference {
    case none
    /// Times or extended attributes.
    case times
    /// Permissions or owner.
    case access
    case content
    /// Another file has the name.
    case replaced
  }
}

/// A file, whatever its name.
struct Identity: Hashable {
  let device: UInt64
  let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
  init(_ status: FileStatus) { self.init(device: status.device, inode: status.inode) }
}
