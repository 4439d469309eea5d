import LinuxSystem

/// A name about which something was heard and nothing is decided yet.
final class Pending {
  /// What was heard.
  struct Flags: OptionSet {
    let rawValue: UInt8
    /// The name was made, removed or renamed.
    static let named = Flags(rawValue: 1)
    /// Its contents may have changed.
    static let written = Flags(rawValue: 2)
    /// … and a record says that they did.
    static let modified = Flags(rawValue: 4)
    static let attributes = Flags(rawValue: 8)
    /// It was found different by looking, not by a record.
    static let scanned = Flags(rawValue: 16)
    /// Which file has the name may be another.
    static let ofName = Flags(rawValue: 1 | 16)
  }

  let node: Node
  let name: Name
  /// Order of arrival.
  let number: UInt64
  /// The same, or that of the name whose decision brought this one up: fences count by it.
  let cause: UInt64
  var flags: Flags = []
  var first: MonotonicInstant
  var last: MonotonicInstant
  /// Since when somebody has been writing without closing.
  var openSince: MonotonicInstant?
  /// When a look first found it different.
  var scannedSince: MonotonicInstant?
  /// When the name was taken away; nil when it was not, or is back.
  var goneSince: MonotonicInstant?
  /// It was made by somebody who has not closed it yet, as far as records say.
  var awaitsClose = false
  /// Of the rename that took it away, until the other half was read.
  var cookie: UInt32?
  /// Where a rename took it, or brought it from.
  weak var target: Pending?
  weak var origin: Pending?
  /// A rename brought it, and the record of the other half was lost or nobody watches there.
  var cameFromNowhere = false
  /// What has the name came by renames from a name that was known.
  var cameKnown = false
  /// Something was heard outside of every window.
  var isForeign = false
  /// Something was heard inside a window.
  var isOwn = false
  /// What is known of it may have been looked at after what was heard.
  var distrusts = false
  var isDone = false
  /// It is decided in this round.
  var isReady = false
  /// Two names that were exchanged came from each other.
  var isBeingDecided = false
  /// When the queue will look at it next.
  var queued: MonotonicInstant?

  init(_ node: Node, _ name: Name, number: UInt64, cause: UInt64, at now: MonotonicInstant) {
    self.node = node
    self.name = name
    self.number = number
    self.cause = cause
    first = now
    last = now
  }

  /// Whether nothing was heard but that somebody writes, outside of every window.
  var isOnlyWriting: Bool {
    flags.isSubset(of: Engine.writing) && origin == nil && target == nil && goneSince == nil
      && cookie == nil && !awaitsClose && !isOwn && !distrusts && !isBeingDecided && !isReady
  }

  var key: PendingKey { PendingKey(node: ObjectIdentifier(node), name: name) }
  var path: FilePath { node.path(name) }
  /// What was known of it.
  var old: EntryState? { node.entries[name] }

  /// Whether it is new, complete and one of very many: then it is no temporary file of a save.
  private var isInCrowd: Bool {
    node.crowdedUntil > last && old == nil && origin == nil && !awaitsClose
  }

  /// When it may be decided, other names aside.
  func due(_ tuning: Tuning) -> MonotonicInstant {
    if !flags.isDisjoint(with: .ofName) {
      if let openSince { return openSince + tuning.whileOpen }
      // Nothing was known of it and nothing is there: there is nothing to wait for.
      if let goneSince {
        return old == nil ? last : min(goneSince + tuning.limit, first + tuning.whileOpen)
      }
      // What a look found new waits for what it found gone: the two may be one that moved.
      if let scannedSince, old == nil { return scannedSince + tuning.limit }
      if isInCrowd { return last + tuning.quietInCrowd }
      return min(last + tuning.quiet, first + tuning.limit)
    }
    if flags.contains(.written) {
      return openSince.map { $0 + tuning.whileOpen } ?? last
    }
    return min(last + tuning.quiet, first + tuning.limit)
  }
}

struct PendingKey: Hashable {
  let node: ObjectIdentifier
  let name: Name
}
