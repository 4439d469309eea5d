import LinuxSystem

/// A name in a directory, as bytes.
typealias Name = [UInt8]

/// A directory that is watched, or that lies on the way to one.
///
/// Nodes form a tree from the root directory down, by canonical path. A node outlives its directory:
/// what is missing is waited for.
final class Node {
  private(set) weak var parent: Node?
  private(set) var name: Name
  private(set) var path: FilePath
  var children: [Name: Node] = [:]

  /// What was last seen of the names that matter here: all of them in a covered directory.
  var entries = EntryTable()
  /// How many names in it something was heard of that is not decided yet.
  var pendingCount = 0
  /// Until when it counts as being filled by a program that copies or unpacks.
  var crowdedUntil = MonotonicInstant(nanoseconds: 0)
  /// How often the queue had been read to its end when its names were looked at in the background.
  ///
  /// What the queue holds from before that must not be judged by what was seen then.
  var seenInRound: UInt64 = 0
  /// Watchers of single names here.
  var items: [Name: [Subscription]] = [:]
  /// Watchers of the tree whose root this directory is.
  var roots: [Subscription] = []
  /// Whether everything in it is watched.
  var isCovered = false

  /// The directory the watch is on; nil when there is none.
  var identity: Identity?
  var watch: Int32?
  var mask: InotifyMask = []
  /// Why it is looked at now and then; nil when the kernel reports all of its changes.
  var pollReason: PollReason?
  /// How many watchers at or below wait for something that is not there.
  var missing = 0
  /// Taken out of the tree: nothing is to be decided about it any more.
  var isDropped = false

  /// The root directory.
  init() {
    name = []
    path = FilePath("/")
  }

  init(_ name: Name, in parent: Node) {
    self.name = name
    self.parent = parent
    path = parent.path.appending(name)
  }

  /// The path of a name in it; its own for the empty name.
  func path(_ name: Name) -> FilePath { name.isEmpty ? path : path.appending(name) }

  /// Whether anybody cares about `name` in it.
  func cares(for name: Name) -> Bool {
    isCovered || items[name] != nil || children[name] != nil
  }

  /// Something is about to be put here.
  var isPinned = false

  /// Whether nothing needs it.
  var isIdle: Bool { !isPinned && !isCovered && children.isEmpty && items.isEmpty && roots.isEmpty }

  var depth: Int {
    var count = 0
    var current = parent
    while let node = current {
      count += 1
      current = node.parent
    }
    return count
  }

  func isInside(_ other: Node) -> Bool {
    var current = parent
    while let node = current {
      if node === other { return true }
      current = node.parent
    }
    return false
  }

  /// Gives it another place, with all below.
  func place(_ name: Name, in parent: Node) {
    self.parent?.children[self.name] = nil
    self.parent = parent
    self.name = name
    parent.children[name] = self
    renew()
  }

  /// Takes it out of its place.
  func leave() {
    parent?.children[name] = nil
    isDropped = true
  }

  private func renew() {
    guard let parent else { return }
    path = parent.path.appending(name)
    for child in children.values { child.renew() }
  }
}

/// Why a directory is looked at now and then.
enum PollReason: Hashable {
  /// The kernel would not give a watch.
  case refused(Errno)
  /// Others change it where this kernel does not see it.
  case remote(FileSystemKind)

  var text: String {
    switch self {
    case .refused(.noSpace):
      return "the user has no inotify watch left: raise fs.inotify.max_user_watches"
        + (InotifyLimits.watches.map { " (now \($0))" } ?? "")
    case .refused(.tooManyOpenFiles), .refused(.fileTableFull):
      return "no inotify instance could be had: raise fs.inotify.max_user_instances"
        + (InotifyLimits.instances.map { " (now \($0))" } ?? "") + " or the limit of open files"
    case .refused(let code): return SystemError("inotify_add_watch", code).description
    case .remote(let kind): return kind.gap
    }
  }

  /// Whether trying again may end it.
  var mayPass: Bool {
    if case .refused = self { true } else { false }
  }
}
