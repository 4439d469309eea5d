import LinuxSystem

/// The thread's side of a monitor: all that it knows, touched by no other thread.
///
/// Kernel records only say where to look. What is reported is decided by comparing what was known of
/// a name with what is there once it has settled, so that late, doubled or lost records can neither
/// invent a change nor, after a rescan, hide one.
///
/// Accesses of what is used between a record and its callback are not checked for exclusivity when the
/// program runs: no other thread has it, and nobody who is called while one of them lasts comes back here.
final class Engine {
  let shared: MonitorState
  let choice: SourceChoice
  let tuning: Tuning

  var source: (any ChangeSource)?
  var sourceFailure: Errno?
  let root = Node()
  var subscriptions: [WatchToken: Subscription] = [:]
  /// Who uses a kernel watch: one object may be watched under several paths.
  var watches: [Int32: WatchUse] = [:]
  var guards: [ObjectIdentifier: DirectoryGuard] = [:]

  @exclusivity(unchecked) var pending: [PendingKey: Pending] = [:]
  @exclusivity(unchecked) var queue = DueQueue()
  /// Renames whose first half was read.
  var renames: [UInt32: Pending] = [:]
  var lastNumber: UInt64 = 0
  /// The name that is being decided: what comes up by that belongs to it.
  var cause: UInt64?
  /// When the contents of a name were last reported: attribute changes right after belong to it.
  @exclusivity(unchecked) var reported: [PendingKey: MonotonicInstant] = [:]
  @exclusivity(unchecked) var now = MonotonicInstant.now
  /// The file of which was told last, if nothing else happened since.
  @exclusivity(unchecked) var familiar: FamiliarFile?

  @exclusivity(unchecked) var windows: [MonitorState.Window] = []
  @exclusivity(unchecked) var windowVersion: UInt64 = 0
  /// Whether what is decided now is a coordinated write of ours.
  var isSilent = false

  var polled: [ObjectIdentifier: Node] = [:]
  var nextPoll: MonotonicInstant?
  var pollInterval: Duration
  var degradationChanged = false
  /// What the file systems met in this turn of the loop do not report.
  var kindOfDevice: [UInt64: FileSystemKind?] = [:]

  /// Directories of which only the names are known, last first.
  var unseen: [Node] = []
  /// When the first of them was listed, by the clock that files have.
  var unseenSince: Int64 = .max
  /// Who reads directories while a large tree is walked through for the first time.
  var ahead: ListingAhead?
  /// How often the queue was read to its end.
  var round: UInt64 = 1

  @exclusivity(unchecked) var fences: [Fence] = []
  var descriptorsLeft: Int
  /// Descriptors that nobody needs any more, to be closed when nobody waits.
  var parting: [SharedDescriptor] = []
  @exclusivity(unchecked) private var records: [InotifyRecord] = []
  @exclusivity(unchecked) private(set) var overflowed = false
  /// How long something may be pending of which a part was heard of before the last loss.
  private var lossCountsUntil = MonotonicInstant(nanoseconds: 0)
  /// Whether one half of what is pending may have been found by one look, and the other half by another one
  /// or by a record.
  var mayHaveHalves: Bool { now <= lossCountsUntil }
  private let queueLimit: Int
  private var ended: (@Sendable () -> Void)?

  init(_ shared: MonitorState, _ choice: SourceChoice, _ tuning: Tuning) {
    self.shared = shared
    self.choice = choice
    self.tuning = tuning
    pollInterval = tuning.shortestPoll
    descriptorsLeft = min(tuning.descriptors, ProcessLimits.descriptors / 4)
    queueLimit = InotifyLimits.queue ?? 16384
    openSource()
  }

  // MARK: the loop

  func run() {
    while ended == nil {
      let isWoken = shared.wait.wait(until: deadline(), alsoReadable: source?.number)
      now = .now
      if isWoken {
        familiar = nil
        for command in shared.takeCommands() { command(self) }
      }
      drain()
      decideWhatIsDue()
      pollIfDue()
      seeSome()
      publish()
      // Whoever waits for a fence finds nothing kept busy.
      parting.removeAll()
      source?.rest()
      passFences()
      // Device numbers are given again when something else is mounted.
      if !kindOfDevice.isEmpty { kindOfDevice.removeAll(keepingCapacity: true) }
    }
    for subscription in subscriptions.values { subscription.descriptor = nil }
    source = nil
    ended?()
  }

  private func deadline() -> MonotonicInstant? {
    if !unseen.isEmpty { return now }
    guard let due = queue.next() else { return nextPoll }
    return nextPoll.map { min($0, due) } ?? due
  }

  func stop(_ done: @escaping @Sendable () -> Void) { ended = done }

  func openSource() {
    do throws(SystemError) {
      source = try choice.open()
      sourceFailure = nil
    } catch {
      sourceFailure = error.code
    }
  }

  /// Reads all the kernel has queued, and what it queues meanwhile up to one whole queue.
  func drain() {
    defer { round += 1 }
    // What is looked at after a loss counts as of the same moment as the last record, so that a name that
    // went and one that came are decided together.
    readAhead(mayTell: true)
    decideWhatIsDue()
    if overflowed {
      familiar = nil
      overflowed = false
      lossCountsUntil = now + tuning.whileOpen + tuning.limit
      rescanEverything()
      renewGuards(afterLoss: true)
    }
  }

  /// The same without deciding anything: also while much is being decided, so that the queue does not
  /// overflow meanwhile.
  ///
  /// Except with `mayTell`, and of the first records only: a program that writes without end is told of once
  /// for all that was read.
  func readAhead(mayTell: Bool = false) {
    guard let source else { return }
    var count = 0
    while count <= queueLimit {
      if !records.isEmpty { records.removeAll(keepingCapacity: true) }
      source.read(into: &records)
      if let limit = shared.queueLimit, records.count > limit {
        records.removeLast(records.count - limit)
        records.append(.overflow)
      }
      if records.isEmpty { break }
      let isFirst = count == 0
      count += records.count
      shared.precedence.run()
      if mayTell, isFirst, tellOfOneWrite(records) { continue }
      familiar = nil
      now = .now
      for record in records { note(record) }
    }
  }

  // MARK: records

  private func note(_ record: InotifyRecord) {
    if record.mask.contains(.overflowed) {
      overflowed = true
      return
    }
    // A watch that ended meanwhile may still have records.
    guard let use = watches[record.watch] else {
      if record.mask.contains(.ignored) { source?.forget(record.watch) }
      return
    }
    if record.mask.contains(.ignored) { return lose(record.watch, use) }
    for node in use.nodes {
      if record.name.isEmpty { noteSelf(record, node) } else { note(record, in: node) }
    }
    for subscription in use.items { noteWrite(record, at: subscription) }
    if !use.guards.isEmpty, !record.mask.isDisjoint(with: DirectoryGuard.mask) {
      for each in use.guards { each.heard() }
    }
  }

  private func note(_ record: InotifyRecord, in node: Node) {
    let mask = record.mask
    let origin = mask.contains(.movedTo) ? renames.removeValue(forKey: record.cookie) : nil
    guard node.cares(for: record.name) || origin != nil else { return }
    let item = mark(node, record.name, Self.flags(mask))
    if node.seenInRound == round { item.distrusts = true }
    if mask.contains(.modified) { item.openSince = item.openSince ?? now }
    if mask.contains(.closedAfterWriting) { item.openSince = nil }
    if mask.contains(.created) {
      item.goneSince = nil
      item.awaitsClose = !mask.contains(.isDirectory)
    }
    if mask.contains(.closedAfterWriting) { item.awaitsClose = false }
    if !mask.isDisjoint(with: Self.departures) {
      // A look may have found it gone before this record of it was read: then it is decided together with
      // what that look found new, of which it may be the other half.
      if item.goneSince == nil || item.scannedSince == nil { item.goneSince = now }
      item.openSince = nil
      item.awaitsClose = false
    }
    if mask.contains(.movedFrom) {
      if let before = item.cookie { renames[before] = nil }
      item.cookie = record.cookie
      renames[record.cookie] = item
    }
    if mask.contains(.movedTo) {
      item.goneSince = nil
      item.awaitsClose = false
      item.cameFromNowhere = origin == nil
      if let origin, origin !== item {
        origin.target = item
        item.origin = origin
      }
    }
    item.cameKnown = mask.contains(.movedTo) && origin.map { $0.old != nil || $0.cameKnown } == true
    if mask.contains(.isDirectory), !mask.isDisjoint(with: Self.arrivals) {
      enter(node, record.name, known: item.cameKnown)
    }
    enqueue(item)
  }

  /// The watched directory itself was moved, removed or unmounted.
  private func noteSelf(_ record: InotifyRecord, _ node: Node) {
    guard !record.mask.isDisjoint(with: [.selfMoved, .selfDeleted, .unmounted]),
      let parent = node.parent
    else { return }
    let isNew = pending[PendingKey(node: ObjectIdentifier(parent), name: node.name)] == nil
    let item = mark(parent, node.name, .named)
    if isNew { item.goneSince = now }
    enqueue(item)
  }

  /// Somebody wrote a watched file under another of its names.
  private func noteWrite(_ record: InotifyRecord, at subscription: Subscription) {
    let flags = Self.flags(record.mask)
    guard !flags.isEmpty, let node = subscription.node else { return }
    let item = mark(node, subscription.name, flags)
    if record.mask.contains(.modified) { item.openSince = item.openSince ?? now }
    if record.mask.contains(.closedAfterWriting) { item.openSince = nil }
    enqueue(item)
  }

  /// The kernel ended a watch: its object is gone or unmounted.
  private func lose(_ watch: Int32, _ use: WatchUse) {
    source?.forget(watch)
    watches[watch] = nil
    for node in use.nodes {
      node.watch = nil
      node.mask = []
      guard let parent = node.parent else { continue }
      enqueue(mark(parent, node.name, .named))
    }
    for subscription in use.items { subscription.selfWatch = nil }
    for each in use.guards {
      each.isInForce(false)
      each.heard()
    }
  }

  // Made once: literals of option sets are made anew for each record otherwise.
  private static let names: InotifyMask = [.created, .deleted, .movedFrom, .movedTo]
  private static let departures: InotifyMask = [.deleted, .movedFrom]
  private static let arrivals: InotifyMask = [.created, .movedTo]
  static let writing: Pending.Flags = [.written, .modified]

  private static func flags(_ mask: InotifyMask) -> Pending.Flags {
    var flags: Pending.Flags = []
    if !mask.isDisjoint(with: Self.names) { flags.insert(.named) }
    if mask.contains(.modified) { flags.formUnion(Self.writing) }
    if mask.contains(.closedAfterWriting) { flags.insert(.written) }
    if mask.contains(.attributes) { flags.insert(.attributes) }
    return flags
  }

  // MARK: what is pending

  /// Remembers that something was heard of a name.
  func mark(_ node: Node, _ name: Name, _ flags: Pending.Flags) -> Pending {
    let key = PendingKey(node: ObjectIdentifier(node), name: name)
    let item: Pending
    if let known = pending[key] {
      item = known
    } else {
      lastNumber += 1
      item = Pending(node, name, number: lastNumber, cause: cause ?? lastNumber, at: now)
      pending[key] = item
      node.pendingCount += 1
      if node.pendingCount > Tuning.crowd { node.crowdedUntil = now + tuning.whileOpen }
      for index in fences.indices where item.cause <= fences[index].number {
        fences[index].remaining += 1
      }
    }
    item.flags.formUnion(flags)
    if flags.contains(.scanned), item.scannedSince == nil { item.scannedSince = now }
    item.last = now
    // After the disk or the kernel said so, before it is attributed to anybody.
    learnWindows()
    if windows.isEmpty {
      item.isForeign = true
    } else if isInWindow(item.path) {
      item.isOwn = true
    } else {
      item.isForeign = true
    }
    return item
  }

  /// Remembers that a look did not find a name that was known.
  func markMissing(_ node: Node, _ name: Name) {
    let item = mark(node, name, .scanned)
    // With what the same look finds new, so that the two can be paired.
    if item.goneSince == nil || item.scannedSince == now { item.goneSince = now }
    enqueue(item)
  }

  func enqueue(_ item: Pending) {
    if !windows.isEmpty, isInWindow(item.path) { return }
    queue.put(item, at: item.due(tuning))
  }

  func finish(_ item: Pending) {
    if item.isDone { return }
    item.isDone = true
    item.node.pendingCount -= 1
    pending[item.key] = nil
    for index in fences.indices where item.cause <= fences[index].number {
      fences[index].remaining -= 1
    }
    if let cookie = item.cookie, renames[cookie] === item { renames[cookie] = nil }
  }
}

/// Somebody who waits until what is pending has been decided.
struct Fence {
  /// The last name that counts.
  let number: UInt64
  /// How many of those are pending still.
  var remaining: Int
  let done: @Sendable () -> Void
}

/// Who uses a kernel watch.
struct WatchUse {
  var nodes: [Node] = []
  var items: [Subscription] = []
  var guards: [DirectoryGuard] = []
  var isEmpty: Bool { nodes.isEmpty && items.isEmpty && guards.isEmpty }
}
