import LinuxSystem

/// What is remembered of one name: enough to tell two states of it apart.
///
/// Large trees keep one for every file: the fields are packed.
struct EntryState {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64
  let changed: Int64
  let owner: UInt32
  let group: UInt32
  let permissions: UInt16
  let kind: FileStatus.Kind
  private let marks: Marks

  private struct Marks: OptionSet {
    let rawValue: UInt8
    static let severalNames = Marks(rawValue: 1)
    static let fresh = Marks(rawValue: 2)
    static let unseen = Marks(rawValue: 4)
  }

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
    modified = Self.nanoseconds(status.modified)
    changed = Self.nanoseconds(status.changed)
    permissions = UInt16(truncatingIfNeeded: status.permissions)
    owner = status.owner
    group = status.group
    kind = status.kind
    var marks: Marks = []
    if status.kind == .regular, status.links > 1 { marks.insert(.severalNames) }
    // A tick is 10 ms at most (CONFIG_HZ 100).
    if WallClock.nanoseconds &- modified < 10_000_000 { marks.insert(.fresh) }
    self.marks = marks
  }

  /// A name of which only a listing was seen: its inode is a hint (a mount point lists what it covers).
  init(listed kind: FileStatus.Kind, inode: UInt64, device: UInt64) {
    self.device = device
    self.inode = inode
    self.kind = kind
    (size, modified, changed, owner, group, permissions) = (0, 0, 0, 0, 0, 0)
    marks = .unseen
  }

  /// Nanoseconds since 1970, for comparing only: far years wrap around.
  static func nanoseconds(_ time: FileStatus.Time) -> Int64 {
    Int64(time.seconds) &* 1_000_000_000 &+ Int64(time.nanoseconds)
  }

  var identity: Identity { Identity(device: device, inode: inode) }
  var hasSeveralNames: Bool { marks.contains(.severalNames) }
  /// Whether it was looked at within the clock tick of its last change: one more write in that tick
  /// would leave no trace in it.
  var isFresh: Bool { marks.contains(.fresh) }
  /// Whether only its name is known: then records alone tell what happened to it.
  var isUnseen: Bool { marks.contains(.unseen) }

  /// Whether `new` may be the same file at another name.
  func isSame(as new: EntryState) -> Bool {
    isUnseen ? kind == new.kind : identity == new.identity
  }

  /// Whether the file was written between this look and `later`.
  func hasOtherContents(than later: EntryState) -> Bool {
    !isUnseen && kind == .regular && (size, modified) != (later.size, later.modified)
  }

  /// How this state became `new`.
  ///
  /// With `distrust` this state may have been looked at after what the records tell of.
  func difference(to new: EntryState, seen: Pending.Flags, distrust: Bool = false) -> Difference {
    if kind != new.kind { return .replaced }
    if isUnseen || distrust {
      return byRecords(new, seen) ?? (isUnseen ? .none : byState(new, seen))
    }
    return byState(new, seen)
  }

  private func byState(_ new: EntryState, _ seen: Pending.Flags) -> Difference {
    if identity != new.identity { return .replaced }
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

  /// What records say happened, where states cannot tell; nil when they say nothing.
  private func byRecords(_ new: EntryState, _ seen: Pending.Flags) -> Difference? {
    if kind == .directory {
      return seen.contains(.attributes) ? .times : nil
    }
    if !seen.isDisjoint(with: [.written, .named]) { return .content }
    return seen.contains(.attributes) ? .times : nil
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
