package import CoordinationRuntime
package import LinuxSystem

/// The counters by which every process sees at once that nobody presents a path.
///
/// Two files in the runtime directory. `presence` is one small page with the *state* word: the epoch
/// (which table counts) above, the generation (how many changes of anybody's list) below.
/// `presence.<epoch>` is the table of counters. Counters may be too high, never too low:
///
/// - Who presents adds to the table of the epoch it saw, makes its list say so, then adds one to the
///   generation and thereby learns the epoch of that moment; if another, it adds there too.
/// - Who withdraws subtracts only if the epoch was the same before and after its list changed:
///   then that table counts it.
/// - A recount builds a new table from the lists of the living and makes it count by one
///   compare-and-swap of the state word, which fails if any list changed since it began to read.
///   A table that does not count any more is never used again, so a late subtraction in it does no
///   harm.
///
/// Nobody waits for anybody here: a process may be stopped or killed at any step.
package final class PresencePage: Sendable {
  private let runtime: RuntimeDirectory
  private let header: MappedFile
  private let identity: FileStatus
  private let current = Mutex<Table?>(nil)

  struct Table: Sendable {
    let epoch: UInt64
    let words: MappedFile
  }

  /// Offsets in `presence`.
  private enum At {
    static let magic = 0
    static let state = 64
    static let wanted = 128
    static let recounted = 136
  }
  private static let name = FilePath("presence")
  private static let headerLength = 4096
  private static let magic: UInt64 = 0x3130_5345_5250_4346  // "FCPRES01"
  private static let epochShift: UInt64 = 40
  private static let slotsStart = 4096
  private static let tableLength = slotsStart + PresenceKey.slots * 4

  /// Opens the page, making it where it is missing.
  ///
  /// - Throws: ``RuntimeDirectoryError``, also when the page is of a version we do not know.
  package init(_ runtime: RuntimeDirectory) throws(RuntimeDirectoryError) {
    self.runtime = runtime
    let file = try runtime.openFile(Self.name, [.readWrite, .create])
    do throws(SystemError) {
      try file.allocate(Self.headerLength)
      identity = try FileStatus(of: file)
      header = try MappedFile(file, length: Self.headerLength)
    } catch {
      throw RuntimeDirectoryError(runtime.path.appending(Self.name.bytes), error)
    }
    _ = header.exchange64(0, for: Self.magic, at: At.magic)
    guard header.load64(At.magic) == Self.magic else {
      throw RuntimeDirectoryError(
        runtime.path.appending(Self.name.bytes),
        SystemError("mmap", .badMessage)
      )
    }
  }

  // MARK: The state word

  private var state: UInt64 { header.load64(At.state) }
  private static func epoch(_ state: UInt64) -> UInt64 { state >> epochShift }
  private static func epoch(after state: UInt64) -> UInt64 {
    let last: UInt64 = 1 << (64 - epochShift) - 1
    return epoch(state) == last ? 1 : epoch(state) + 1
  }
  private static func name(_ epoch: UInt64) -> FilePath { FilePath("presence.\(epoch)") }

  /// Changes with every change of any process's list.
  var generation: UInt64 { state & (1 << Self.epochShift - 1) }

  /// Changes with every change of any process's list, and with every recount.
  var stamp: UInt64 { state }

  /// Whether the file in the directory is still the one that is mapped here.
  ///
  /// One system call.
  var isInPlace: Bool {
    // A file that cannot be looked at is not in its place.
    let now = try? FileStatus(of: Self.name, at: runtime.descriptor.number)
    return now.map { $0.isSameFile(as: identity) } ?? false
  }

  /// The table that counts in `epoch`.
  ///
  /// - Throws: ENOENT when it counts no more, or was deleted by a stranger.
  private func table(_ epoch: UInt64) throws(RuntimeDirectoryError) -> Table {
    if let table = current.withLock({ $0 }), table.epoch == epoch { return table }
    // The first table is made by whoever needs it first, the others by recounts.
    let table = try open(epoch, epoch == 0 ? [.readWrite, .create] : [.readWrite])
    current.withLock { $0 = table }
    return table
  }

  private func open(_ epoch: UInt64, _ options: OpenOptions) throws(RuntimeDirectoryError) -> Table
  {
    let name = Self.name(epoch)
    let file = try runtime.openFile(name, options)
    do throws(SystemError) {
      try file.allocate(Self.tableLength)
      return Table(epoch: epoch, words: try MappedFile(file, length: Self.tableLength))
    } catch {
      throw RuntimeDirectoryError(runtime.path.appending(name.bytes), error)
    }
  }

  // MARK: Looking

  /// Whether somebody may present what is looked for.
  ///
  /// False is certain. No system call, but for the first look after a recount. Where nothing at all is
  /// presented, the query is not made.
  package func mayBePresented(_ query: @autoclosure () -> PresenceQuery) -> Bool {
    while true {
      let before = state
      if before == 0 { return false }
      let table: Table
      do { table = try self.table(Self.epoch(before)) } catch {
        // Another epoch by now: look again. Else nothing can be excluded.
        if Self.epoch(state) != Self.epoch(before) { continue }
        return true
      }
      if table.isAnythingPresented, table.mayContain(query()) { return true }
      if Self.epoch(state) == Self.epoch(before) { return false }
    }
  }

  // MARK: Counting

  /// Counts a presented path; `commit` makes the list say so and is called once.
  ///
  /// - Throws: what `commit` threw; then nothing is counted.
  /// - Returns: the epoch of a moment after `commit`, whose table counts the path.
  @discardableResult
  package func add(
    _ path: FilePath,
    commit: () throws(RuntimeDirectoryError) -> Void
  ) throws(RuntimeDirectoryError) -> UInt64 {
    let keys = PresenceKey.presenting(path)
    var table = try reachableTable()
    table.add(keys)
    do throws(RuntimeDirectoryError) { try commit() } catch {
      // Harmless where that table counts no more.
      table.subtract(keys)
      throw error
    }
    while true {
      let epoch = Self.epoch(header.add64(1, at: At.state))
      if epoch == table.epoch { return epoch }
      // A recount may have read our list before or after: count once more rather than not at all.
      header.store32(1, at: At.wanted)
      table = try reachableTable()
      table.add(keys)
    }
  }

  /// Counts a path no more; `commit` makes the list say so and is called once.
  package func remove(
    _ path: FilePath,
    commit: () throws(RuntimeDirectoryError) -> Void
  ) throws(RuntimeDirectoryError) {
    let before = Self.epoch(state)
    try commit()
    subtract(path, before, Self.epoch(header.add64(1, at: At.state)))
  }

  /// Counts `new` instead of `old`; `commit` makes the list say so and is called once.
  ///
  /// - Throws: what `commit` threw; then `old` counts as before.
  package func move(
    _ old: FilePath,
    to new: FilePath,
    commit: () throws(RuntimeDirectoryError) -> Void
  ) throws(RuntimeDirectoryError) {
    let before = Self.epoch(state)
    subtract(old, before, try add(new, commit: commit))
  }

  /// Subtracts a path that no list says any more, if the table of both epochs, which are those
  /// before and after the list changed, surely counts it.
  private func subtract(_ path: FilePath, _ before: UInt64, _ after: UInt64) {
    // A table that cannot be had, or that may not count the path, keeps its number: too high.
    guard before == after, let table = try? table(after) else {
      return header.store32(1, at: At.wanted)
    }
    table.subtract(PresenceKey.presenting(path))
  }

  private func reachableTable() throws(RuntimeDirectoryError) -> Table {
    var lastFailure: RuntimeDirectoryError?
    for _ in 0..<100 {
      let epoch = Self.epoch(state)
      do throws(RuntimeDirectoryError) { return try table(epoch) } catch {
        // A recount may have put another in its place.
        if Self.epoch(state) == epoch, lastFailure != nil { throw error }
        lastFailure = error
      }
    }
    throw lastFailure ?? RuntimeDirectoryError(runtime.path, SystemError("openat", .again))
  }

  // MARK: Recounting

  /// Whether the table that counts can be had: a stranger may have deleted it.
  var isCountable: Bool {
    for _ in 0..<3 {
      let epoch = Self.epoch(state)
      if epoch == 0 || (try? table(epoch)) != nil { return true }
      // If there is another by now, that one.
      if Self.epoch(state) == epoch { return false }
    }
    return true
  }

  /// At most one recount in this time, by all processes together.
  static let recountInterval = Duration.seconds(1)

  /// Whether counters are known to be too high and a recount may be made.
  var isRecountDue: Bool { header.load32(At.wanted) != 0 && isRecountAllowed }

  private var isRecountAllowed: Bool { wasRecounted(before: Self.recountInterval) }
  /// Whether a recount on mere suspicion is not too much.
  var isLongSinceRecount: Bool { wasRecounted(before: .seconds(60)) }

  private func wasRecounted(before interval: Duration) -> Bool {
    let last = MonotonicInstant(nanoseconds: header.load64(At.recounted))
    let now = MonotonicInstant.now
    // In the future: of another start of the machine.
    return now >= last + interval || now < last
  }

  /// Notes that counters are too high: somebody died.
  func wantRecount() { header.store32(1, at: At.wanted) }

  /// What the lists of the living say that they did not say before.
  package struct Difference: Sendable {
    package var added: [FilePath]
    package var removed: [FilePath]
    package init(added: [FilePath] = [], removed: [FilePath] = []) {
      self.added = added
      self.removed = removed
    }
  }

  /// How often lists may change under a recount before it is left for another time.
  private static let attempts = 50

  /// Counts anew what the living present, if nobody else does and it is due.
  ///
  /// `read` reads everybody's list; the first time it yields all, later what changed since.
  /// - Returns: whether the new table counts.
  /// - Throws: what `read` threw, or why there can be no new table; the old one counts on.
  @discardableResult
  package func recount(
    evenIfRecent: Bool = false,
    _ read: () throws(RuntimeDirectoryError) -> Difference
  ) throws(RuntimeDirectoryError) -> Bool {
    let registry = try runtime.openFile(FilePath("registry"), [.readWrite, .create])
    do throws(SystemError) {
      guard try registry.tryLock(.exclusive) else { return false }
    } catch { throw RuntimeDirectoryError(runtime.path, error) }
    guard evenIfRecent || isRecountAllowed else { return false }
    header.store64(MonotonicInstant.now.nanoseconds, at: At.recounted)
    header.store32(0, at: At.wanted)
    // Until it has worked it is wanted, whatever throws.
    var hasCounted = false
    defer { if !hasCounted { header.store32(1, at: At.wanted) } }
    // Nobody else makes epochs while we hold the registry.
    let next = Self.epoch(after: state)
    let table = try freshTable(next)
    for _ in 0..<Self.attempts {
      let before = state
      let difference = try read()
      for path in difference.added { table.add(PresenceKey.presenting(path)) }
      for path in difference.removed { table.subtract(PresenceKey.presenting(path)) }
      let after = next << Self.epochShift | before & (1 << Self.epochShift - 1)
      if header.exchange64(before, for: after, at: At.state) {
        current.withLock { $0 = table }
        removeTables(except: next)
        hasCounted = true
        return true
      }
    }
    // Lists change all the time; another time then.
    return false
  }

  private func freshTable(_ epoch: UInt64) throws(RuntimeDirectoryError) -> Table {
    do throws(SystemError) {
      try FileSystem.removeFile(Self.name(epoch), at: runtime.descriptor.number)
    } catch  where error.code == .noEntry {
    } catch { throw RuntimeDirectoryError(runtime.path, error) }
    return try open(epoch, [.readWrite, .create, .exclusive])
  }

  private func removeTables(except epoch: UInt64) {
    // Files that stay behind take room, nothing else: the next recount tries again.
    guard
      let root = try? Descriptor.open(
        FilePath("."),
        [.readOnly, .directory],
        at: runtime.descriptor.number
      ),
      let names = try? FileSystem.list(root, named: runtime.path)
    else { return }
    let prefix = Array("presence.".utf8)
    for name in names where name.starts(with: prefix) && FilePath(bytes: name) != Self.name(epoch) {
      try? FileSystem.removeFile(FilePath(bytes: name), at: runtime.descriptor.number)
    }
  }
}

extension PresencePage.Table {
  /// How many paths are presented, at most.
  private static let total = 0
  private func offset(_ key: PresenceKey, _ index: Int) -> Int { 4096 + key.slot(index) * 4 }

  fileprivate func add(_ keys: [PresenceKey]) {
    for key in keys {
      for index in 0..<PresenceKey.count { words.add32(1, at: offset(key, index)) }
    }
    words.add32(1, at: Self.total)
  }

  fileprivate func subtract(_ keys: [PresenceKey]) {
    for key in keys {
      for index in 0..<PresenceKey.count { words.add32(.max, at: offset(key, index)) }
    }
    words.add32(.max, at: Self.total)
  }

  fileprivate var isAnythingPresented: Bool { words.load32(Self.total) != 0 }

  private func contains(_ key: PresenceKey) -> Bool {
    for index in 0..<PresenceKey.count where words.load32(offset(key, index)) == 0 { return false }
    return true
  }

  fileprivate func mayContain(_ query: PresenceQuery) -> Bool {
    query.upwards.contains { PresenceKey.anyUpwards(of: $0, contains) }
      || query.exact.contains { contains(PresenceKey.of($0, .item)) }
      || query.inside.contains { contains(PresenceKey.of($0, .inside)) }
  }
}
