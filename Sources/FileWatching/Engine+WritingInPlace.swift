import LinuxSystem

/// One file was written in place, and nothing else happens: what programs wait for most.
///
/// What comes out is the same as by way of ``Pending``. That way costs as much again as waking up: not
/// because it is long, but because a thread that has slept finds none of it in the processor's caches.
extension Engine {
  private static let records: InotifyMask = [.modified, .closedAfterWriting]

  /// Decides at once about a known file that was written and closed, where these records say no more than
  /// that and nothing else is pending.
  ///
  /// False where it is not as simple as that; then nothing was done.
  func tellOfOneWrite(_ records: [InotifyRecord]) -> Bool {
    guard records.count <= 4, let last = records.last, last.mask.contains(.closedAfterWriting),
      pending.count <= 1, !isSilent, !overflowed
    else { return false }
    // After the kernel said so, before it is attributed to anybody.
    learnWindows()
    guard windows.isEmpty else { return false }
    if let familiar, last.watch == familiar.watch, last.name == familiar.name,
      let flags = Self.flags(ofOneWrite: records, as: last), pending.isEmpty
    {
      return flags.contains(.modified) ? tellAtOnce(familiar) : tell(familiar, flags)
    }
    return meet(records, as: last)
  }

  /// What the records say if they are all about the name in `last`, and nothing but writing.
  private static func flags(
    ofOneWrite records: [InotifyRecord],
    as last: InotifyRecord
  ) -> Pending.Flags? {
    var flags = Pending.Flags.written
    for record in records {
      guard record.watch == last.watch, record.mask.isSubset(of: Self.records),
        record.name == last.name
      else { return nil }
      if record.mask.contains(.modified) { flags = Self.writing }
    }
    return flags
  }

  /// Tells of the same file as the last time, nothing else having happened since, and looks at it then.
  ///
  /// A look could not say anything else: what was seen when the last change was told is from before this
  /// write, or from the same tick of the clock.
  private func tellAtOnce(_ file: FamiliarFile) -> Bool {
    guard file.node.seenInRound != round else { return false }
    file.tell()
    now = .now
    remember(file.key)
    if let new = file.state, file.known.isSame(as: new), !new.hasSeveralNames {
      file.known = new
      file.node.entries[file.name] = new
    } else {
      // Gone, or known by another name too: whoever looks at it next sees to that.
      familiar = nil
      enqueue(mark(file.node, file.name, .attributes))
    }
    return true
  }

  /// Decides about a file by what was known and what is there.
  private func tell(_ file: FamiliarFile, _ flags: Pending.Flags) -> Bool {
    guard file.node.seenInRound != round, let new = file.state, file.known.isSame(as: new),
      !new.hasSeveralNames
    else { return false }
    switch file.known.difference(to: new, seen: flags) {
    case .times, .access, .replaced: return false
    case .none: break
    case .content:
      file.tell()
      now = .now
      remember(file.key)
    }
    file.known = new
    file.node.entries[file.name] = new
    return true
  }

  /// The same about a file that was not written the last time.
  private func meet(_ records: [InotifyRecord], as last: InotifyRecord) -> Bool {
    let name = last.name
    guard !name.isEmpty, var flags = Self.flags(ofOneWrite: records, as: last),
      let use = watches[last.watch], use.nodes.count == 1, use.items.isEmpty, use.guards.isEmpty
    else { return false }
    let node = use.nodes[0]
    let heard = pending.first?.value
    if let heard {
      guard heard.node === node, heard.name == name, heard.isOnlyWriting else { return false }
      flags.formUnion(heard.flags)
    }
    guard !node.isDropped, node.pollReason == nil, let known = node.entries[name],
      known.kind == .regular, !known.isUnseen, !known.hasSeveralNames
    else { return false }
    let file = FamiliarFile(last.watch, name, in: node, known)
    for watcher in node.items[name] ?? [] {
      // One that could not be had before, perhaps.
      guard let descriptor = watcher.descriptor else { return false }
      file.descriptor = descriptor
      file.news.append((watcher.listener, .itemChanged))
    }
    for tree in node.isCovered ? trees(over: node) : [] {
      file.news.append((tree.listener, .subitemChanged(tree.spelling.spelled(file.path))))
    }
    guard tell(file, flags) else { return false }
    if let heard { finish(heard) }
    familiar = file
    return true
  }
}

/// A file that was written in place the last time anything happened at all, and who hears of it.
///
/// Good for as long as nothing else happens: then the engine forgets it.
final class FamiliarFile {
  let watch: Int32
  let name: Name
  let node: Node
  let key: PendingKey
  let path: FilePath
  @exclusivity(unchecked) var known: EntryState
  @exclusivity(unchecked) var descriptor: SharedDescriptor?
  @exclusivity(unchecked) var news: [(Listener, ChangeEvent)] = []

  init(_ watch: Int32, _ name: Name, in node: Node, _ known: EntryState) {
    self.watch = watch
    self.name = name
    self.node = node
    self.known = known
    key = PendingKey(node: ObjectIdentifier(node), name: name)
    path = node.path(name)
  }

  /// How it is now; nil where that cannot be said, or it is gone.
  ///
  /// Asked of the descriptor that a watcher holds on it, which needs no way through directories: if the
  /// name leads elsewhere by now, the record of that is on the way.
  var state: EntryState? {
    guard let number = descriptor?.number else { return try? EntryState(at: path) }
    guard let status = try? FileStatus(ofNumber: number), status.links > 0 else { return nil }
    return EntryState(status)
  }

  func tell() { for (listener, event) in news { listener.tell(event) } }
}
