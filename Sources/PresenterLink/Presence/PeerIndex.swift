import CoordinationRuntime
import LinuxSystem

/// The lists of the other processes, kept in memory and brought up to date when one changed.
final class PeerIndex: Sendable {
  fileprivate struct State {
    /// The generation that the lists are of; nil: read them all again.
    var generation: UInt64?
    var lists: [ProcessIdentity: PresenceListReader] = [:]
    /// How many times each process presents a path.
    var presenters: [FilePath: [ProcessIdentity: Int]] = [:]
    /// The last answer, as long as nothing changed: one access asks the same up to four times.
    var last: (query: PresenceQuery, answer: [PeerPresence])?
  }
  private let peers: PeerDirectory
  private let page: PresencePage
  private let state = Mutex(State())
  private let ourselves: ProcessIdentity

  init(_ peers: PeerDirectory, _ page: PresencePage, except ourselves: ProcessIdentity) {
    self.peers = peers
    self.page = page
    self.ourselves = ourselves
  }

  /// The other processes that present what is looked for.
  ///
  /// No system call while no list changed. A process that died since may be among them.
  func peers(presenting query: PresenceQuery) throws(RuntimeDirectoryError) -> [PeerPresence] {
    let (answer, wasRefreshed) = try state.withLock { state throws(RuntimeDirectoryError) in
      let wasRefreshed = try refresh(&state)
      if let last = state.last, last.query == query { return (last.answer, wasRefreshed) }
      let answer = state.answer(query)
      state.last = (query, answer)
      return (answer, wasRefreshed)
    }
    // A recount that fails now is made by the next who finds it due.
    if wasRefreshed { try? recountIfDue() }
    return answer
  }

  /// Everything that the other living processes present.
  func everything() throws(RuntimeDirectoryError) -> [PeerPresence] {
    let lists = try state.withLock { state throws(RuntimeDirectoryError) in
      state.generation = nil
      try refresh(&state)
      return state.lists
    }
    // As above.
    try? recountIfDue()
    return lists.compactMap { process, list in
      list.presented.isEmpty
        ? nil : PeerPresence(process: process, paths: Array(Set(list.presented.values)).sorted())
    }
  }

  /// Somebody could not be reached: cleans up behind it if it is gone, and forgets its list.
  func noteUnreachable(_ process: ProcessIdentity) {
    let folder = PeerFolder.name(of: process)
    // If it cannot be told whether it lives, it does.
    guard let isAlive = try? peers.isAlive(folder), !isAlive else { return }
    if peers.sweep(folder) { page.wantRecount() }
    state.withLock { $0.forget(process) }
    // A recount that fails now is made by the next who finds it due.
    try? recountIfDue()
  }

  /// The counters said that somebody presents what nobody does; looks after it now and then.
  ///
  /// It happens by chance, or for somebody who died unnoticed.
  func noteFalseAlarm() {
    // A recount that fails now is made at the next false alarm.
    if page.isLongSinceRecount { _ = try? recount() }
  }

  /// Makes a table that counts where a stranger deleted it: without, everybody is alarmed always.
  func recountIfImpossible() throws(RuntimeDirectoryError) {
    if !page.isCountable { try recount(evenIfRecent: true) }
  }

  /// Makes the counters exact again if they are known to be too high.
  func recountIfDue() throws(RuntimeDirectoryError) {
    guard page.isRecountDue else { return }
    try recount()
  }

  /// Makes the counters exact again.
  @discardableResult
  func recount(evenIfRecent: Bool = false) throws(RuntimeDirectoryError) -> Bool {
    var lists: [ProcessIdentity: PresenceListReader] = [:]
    return try page.recount(evenIfRecent: evenIfRecent) { () throws(RuntimeDirectoryError) in
      do throws(SystemError) { return try difference(&lists) } catch {
        throw RuntimeDirectoryError(peers.path, error)
      }
    }
  }

  /// Reads what changed in the lists of the living, ours too.
  private func difference(_ lists: inout [ProcessIdentity: PresenceListReader])
    throws(SystemError) -> PresencePage.Difference
  {
    var difference = PresencePage.Difference()
    let living = try livingPresenters()
    let present = Set(living.map(\.0))
    for (process, list) in lists where !present.contains(process) {
      difference.removed += list.presented.values
      lists[process] = nil
    }
    for (process, folder) in living {
      var list = lists[process] ?? PresenceListReader()
      do throws(SystemError) {
        let changes = try peers.descriptor.with { directory throws(SystemError) in
          try list.refresh(folder, in: directory)
        }
        for change in changes {
          switch change {
          case .added(let path): difference.added.append(path)
          case .removed(let path): difference.removed.append(path)
          }
        }
        lists[process] = list
      } catch  where error.code == .noEntry {
        // It presents nothing yet, or died and was swept: one that has a list has it until it dies.
      }
    }
    return difference
  }

  /// The living processes that have a list, we too; sweeps up behind the others.
  private func livingPresenters() throws(SystemError) -> [(ProcessIdentity, FilePath)] {
    let names = try peers.names()
    var living: [(ProcessIdentity, FilePath)] = []
    for name in names {
      guard let process = PeerFolder.process(named: name) else { continue }
      let folder = FilePath(bytes: name)
      if try peers.isAlive(folder) {
        living.append((process, folder))
      } else if peers.sweep(folder) {
        page.wantRecount()
      }
    }
    peers.sweepLeftovers(names)
    return living
  }

  /// - Returns: whether anything had changed.
  @discardableResult
  private func refresh(_ state: inout State) throws(RuntimeDirectoryError) -> Bool {
    // Read before the lists: what changes while we read is read again the next time.
    let generation = page.generation
    if state.generation == generation { return false }
    do throws(SystemError) {
      let living = try livingPresenters()
      let present = Set(living.map(\.0))
      for process in state.lists.keys where !present.contains(process) {
        // Somebody else swept up behind it, and need not know of our counters.
        state.forget(process)
        page.wantRecount()
      }
      for (process, folder) in living where process != ourselves {
        try refresh(&state, process, folder)
      }
      state.generation = generation
      return true
    } catch { throw RuntimeDirectoryError(peers.path, error) }
  }

  private func refresh(_ state: inout State, _ process: ProcessIdentity, _ folder: FilePath)
    throws(SystemError)
  {
    var list = state.lists.removeValue(forKey: process) ?? PresenceListReader()
    do throws(SystemError) {
      let changes = try peers.descriptor.with { directory throws(SystemError) in
        try list.refresh(folder, in: directory)
      }
      for change in changes { state.apply(change, process) }
      state.lists[process] = list
    } catch  where error.code == .noEntry || error.code == .permissionDenied {
      // It presents nothing, or died this moment, or does not let us look.
      for path in list.presented.values { state.apply(.removed(path), process) }
    }
  }
}

extension PeerIndex.State {
  fileprivate mutating func apply(_ change: PresenceListReader.Change, _ process: ProcessIdentity) {
    last = nil
    switch change {
    case .added(let path): presenters[path, default: [:]][process, default: 0] += 1
    case .removed(let path):
      guard let count = presenters[path]?[process] else { return }
      presenters[path]?[process] = count > 1 ? count - 1 : nil
      if presenters[path]?.isEmpty == true { presenters[path] = nil }
    }
  }

  fileprivate mutating func forget(_ process: ProcessIdentity) {
    guard let list = lists.removeValue(forKey: process) else { return }
    for path in list.presented.values { apply(.removed(path), process) }
  }

  fileprivate func answer(_ query: PresenceQuery) -> [PeerPresence] {
    guard !presenters.isEmpty else { return [] }
    var found: [ProcessIdentity: Set<FilePath>] = [:]
    func note(_ path: FilePath) {
      for process in presenters[path, default: [:]].keys {
        found[process, default: []].insert(path)
      }
    }
    for path in query.exact { note(path) }
    for path in query.upwards {
      note(path)
      for ancestor in path.ancestors { note(ancestor) }
    }
    if !query.inside.isEmpty {
      for path in presenters.keys where query.inside.contains(where: path.isInside) { note(path) }
    }
    return found.map { PeerPresence(process: $0, paths: $1.sorted()) }
  }
}
