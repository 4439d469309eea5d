import LinuxSystem

/// Directories: kernel watches on them, and what is in them.
extension Engine {
  /// What is asked of a directory whose names matter.
  private static let contents: InotifyMask = [
    .modified, .closedAfterWriting, .attributes, .created, .deleted, .movedFrom, .movedTo,
    .selfMoved, .selfDeleted, .onlyDirectory, .excludeUnlinked,
  ]
  /// … of one on the way to something that is missing.
  private static let names: InotifyMask = [
    .created, .deleted, .movedFrom, .movedTo, .selfMoved, .selfDeleted, .onlyDirectory,
  ]
  /// … of one on the way to something that is there: quiet, however busy the directory is.
  private static let itself: InotifyMask = [.selfMoved, .selfDeleted, .onlyDirectory]

  // Made once: literals of option sets are made anew each time otherwise.
  private static let forListing: OpenOptions = [.readOnly, .directory, .noFollow, .nonBlocking]
  private static let forWatching: OpenOptions = [.pathOnly, .directory, .noFollow]

  private func wanted(_ node: Node) -> InotifyMask {
    if node.isCovered || !node.items.isEmpty { return Self.contents }
    if node.missing > 0 { return Self.names }
    // The root directory goes nowhere.
    return node.children.isEmpty || node.parent == nil ? [] : Self.itself
  }

  // MARK: nodes

  /// The node of a canonical directory, with all on the way; bound as far as they exist.
  func ensureNode(_ path: FilePath) -> Node {
    var node = root
    for part in path.bytes.split(separator: .slash, omittingEmptySubsequences: true) {
      node = ensureChild(Array(part), of: node)
    }
    return node
  }

  func ensureChild(_ name: Name, of node: Node) -> Node {
    if let child = node.children[name] { return child }
    let child = Node(name, in: node)
    node.children[name] = child
    return child
  }

  /// Binds all nodes from the root down to `node`, and remembers what stands for each in its parent.
  func bindChain(to node: Node) {
    guard node.parent != nil || !wanted(node).isEmpty else { return }
    if let parent = node.parent {
      bindChain(to: parent)
      if parent.entries[node.name] == nil {
        // What cannot be looked at is as if it were not there.
        parent.entries[node.name] = try? EntryState(at: node.path)
      }
    }
    // A watch that is there tells by itself when it no longer holds.
    if node.watch == nil || node.mask != wanted(node) { _ = bind(node, forListing: false) }
  }

  /// Takes nodes out that nobody needs, upwards.
  func prune(_ node: Node) {
    var current = node
    while current.isIdle, let parent = current.parent {
      unbind(current)
      current.leave()
      if !parent.cares(for: current.name) { parent.entries[current.name] = nil }
      current = parent
    }
    applyMask(current)
  }

  /// Asks the kernel for what a directory needs now.
  func applyMask(_ node: Node) {
    guard !node.isDropped, node.mask != wanted(node) else { return }
    if wanted(node).isEmpty { return unbind(node) }
    _ = bind(node, forListing: false)
  }

  // MARK: kernel watches

  /// Opens the directory that has the node's path now and watches it.
  ///
  /// Nil when there is none, or it may not be read.
  func bind(_ node: Node, forListing: Bool) -> SharedDescriptor? {
    let directory: SharedDescriptor
    let status: FileStatus
    do throws(SystemError) {
      directory = try open(node, forListing ? Self.forListing : Self.forWatching)
      status = try FileStatus(ofNumber: directory.number)
    } catch {
      switch error.code {
      case .tooManyOpenFiles, .fileTableFull, .noMemory: poll(node, .refused(error.code))
      case .permissionDenied: release(node)
      default: unbind(node)
      }
      return nil
    }
    if node.identity != Identity(status) {
      release(node)
      node.identity = Identity(status)
    }
    let mask = wanted(node)
    if node.watch == nil || node.mask != mask { setWatch(node, directory.number, mask) }
    if let kind = kind(of: status.device, directory.number) { poll(node, .remote(kind)) }
    return directory
  }

  private func open(
    _ node: Node,
    _ options: OpenOptions
  ) throws(SystemError) -> SharedDescriptor {
    do throws(SystemError) {
      return SharedDescriptor(try .open(node.path, options))
    } catch  where error.code == .tooManyOpenFiles || error.code == .fileTableFull {
      // Those that are being read are given back first.
      guard ahead?.settle() == true else { throw error }
      return SharedDescriptor(try .open(node.path, options))
    }
  }

  private func setWatch(_ node: Node, _ descriptor: CInt, _ mask: InotifyMask) {
    guard !mask.isEmpty else { return release(node) }
    guard let source else { return poll(node, .refused(sourceFailure ?? .tooManyOpenFiles)) }
    do throws(SystemError) {
      if let forced = WatchFaults.next(for: node.path) {
        throw SystemError("inotify_add_watch", forced)
      }
      // Others may watch the same object: only who is alone may take anything away.
      let alone =
        node.watch.flatMap { watches[$0] }.map {
          $0.nodes.count == 1 && $0.items.isEmpty && $0.guards.isEmpty
        } ?? false
      let watch = try source.add(
        descriptor,
        isDirectory: true,
        alone ? mask : mask.union(.add)
      )
      if let before = node.watch, before != watch { release(node) }
      if node.watch == nil { watches[watch, default: WatchUse()].nodes.append(node) }
      node.watch = watch
      node.mask = mask
      if node.pollReason?.mayPass == true { endPolling(node) }
    } catch {
      switch error.code {
      case .noSpace, .tooManyOpenFiles, .fileTableFull, .noMemory:
        poll(node, .refused(error.code))
      // Not readable, or gone already: then there is nothing to be seen.
      default: release(node)
      }
    }
  }

  /// Ends the node's part in its kernel watch.
  private func release(_ node: Node) {
    if let watch = node.watch {
      watches[watch]?.nodes.removeAll { $0 === node }
      freeIfUnused(watch)
    }
    node.watch = nil
    node.mask = []
  }

  func freeIfUnused(_ watch: Int32) {
    guard watches[watch]?.isEmpty == true else { return }
    watches[watch] = nil
    source?.remove(watch)
  }

  /// Ends all that ties the node to a directory.
  func unbind(_ node: Node) {
    release(node)
    node.identity = nil
    if node.pollReason != nil { endPolling(node) }
  }

  // MARK: covering

  /// How what is found in a directory for the first time is taken.
  enum Walk {
    /// It has always been there.
    case baseline
    /// It is new.
    case appearing
    /// It is compared with what is known; directories that are known are gone through too.
    case everything
  }

  /// Watches a directory with everything below: the watch first, then the list, so that nothing made
  /// in between is missed.
  func cover(_ root: Node, _ walk: Walk) {
    if walk == .baseline { return coverByNames(root) }
    var rest = [root]
    while let node = rest.popLast() {
      if node.isDropped { continue }
      node.isCovered = true
      // As in `rewatch(_:)`: that there is a watch proves nothing after records were lost.
      if walk == .everything { node.mask = [] }
      guard let directory = bind(node, forListing: true) else { continue }
      rest += look(at: node, directory.number, walk)
    }
  }

  /// Compares a directory with what is known of it; gives the directories in it to go on with.
  func look(at node: Node, _ directory: CInt, _ walk: Walk) -> [Node] {
    let found: [DirectoryEntry]
    do throws(SystemError) {
      found = try FileSystem.entries(of: directory)
    } catch {
      switch error.code {
      case .tooManyOpenFiles, .fileTableFull, .noMemory: poll(node, .refused(error.code))
      // It is gone, and its parent tells of that, or it may not be read.
      default: break
      }
      return []
    }
    var next: [Node] = []
    node.entries.beginLook()
    let compares = !node.entries.isEmpty
    for entry in found {
      let known = node.entries.meet(entry.name)
      var kind = entry.kind
      if known != nil || walk == .baseline || kind == nil {
        // Gone between list and look: its record is on the way.
        guard let status = try? FileStatus(of: FilePath(bytes: entry.name), at: directory) else {
          continue
        }
        kind = status.kind
        compare(node, entry.name, known, EntryState(status), walk)
      } else {
        enqueue(mark(node, entry.name, walk == .everything ? .scanned : .named))
      }
      guard kind == .directory else { continue }
      let child = ensureChild(entry.name, of: node)
      if walk == .everything || !child.isCovered { next.append(child) }
    }
    for name in node.entries.unmet where compares { markMissing(node, name) }
    return next
  }

  private func compare(
    _ node: Node,
    _ name: Name,
    _ known: EntryState?,
    _ state: EntryState,
    _ walk: Walk
  ) {
    if let known {
      compare(node, name, known, state)
    } else if walk == .baseline,
      pending[PendingKey(node: ObjectIdentifier(node), name: name)] == nil
    {
      node.entries[name] = state
    } else {
      enqueue(mark(node, name, .scanned))
    }
  }

  /// Compares one name with what is known of it.
  func compare(_ node: Node, _ name: Name, _ known: EntryState, _ state: EntryState) {
    if known.isUnseen || node.seenInRound == round {
      // What was known may be younger than a change; the time of the change itself tells.
      if state.kind != .directory, state.changed > unseenSince {
        let item = mark(node, name, [.scanned, .written])
        item.distrusts = true
        return enqueue(item)
      }
      if known.isUnseen, known.kind == state.kind {
        node.entries[name] = state
        return
      }
    }
    if known.difference(to: state, seen: [.scanned, .attributes]) != .none {
      enqueue(mark(node, name, .scanned))
    }
  }

  /// A directory was made or moved here: it is watched at once, before more happens in it.
  func enter(_ node: Node, _ name: Name, known: Bool) {
    if let child = node.children[name], child.watch == nil { revive(child) }
    // One that comes from a watched place brings its watches along.
    guard node.isCovered, !known, node.children[name] == nil else { return }
    cover(ensureChild(name, of: node), .appearing)
  }

  /// A directory on the way may be there again.
  private func revive(_ node: Node) {
    guard bind(node, forListing: false) != nil else { return }
    if node.isCovered || !node.roots.isEmpty { cover(node, .appearing) }
    recheck(node)
    for child in node.children.values where child.watch == nil { revive(child) }
  }

  /// Looks again at the names that matter in a directory that is not covered.
  func recheck(_ node: Node) {
    for name in Set(node.items.keys).union(node.children.keys) {
      let item = mark(node, name, .scanned)
      if node.entries[name] != nil { item.goneSince = now }
      enqueue(item)
    }
  }

  /// Brings the node of a name in line with what has the name now.
  func refreshDirectory(_ node: Node, _ name: Name, _ state: EntryState) {
    guard state.kind == .directory else {
      if let child = node.children[name] {
        empty(child)
        prune(child)
      }
      return
    }
    let isTree = node.items[name]?.contains { $0.listener.scope == .tree } ?? false
    guard node.isCovered || isTree || node.children[name] != nil else { return }
    let child = ensureChild(name, of: node)
    if isTree { adoptRoots(child, of: node, name) }
    let isOther = child.identity != state.identity
    if !child.isCovered, node.isCovered || !child.roots.isEmpty {
      cover(child, .appearing)
    } else if isOther || (child.watch == nil && child.pollReason == nil) {
      if isOther { unbind(child) }
      if child.isCovered { cover(child, .everything) } else { revive(child) }
    }
  }

  private func adoptRoots(_ child: Node, of node: Node, _ name: Name) {
    for subscription in node.items[name] ?? [] where subscription.listener.scope == .tree {
      if !child.roots.contains(where: { $0 === subscription }) { child.roots.append(subscription) }
    }
  }

  /// Ends or begins covering a directory, as the trees above it say now.
  func settleCoverage(_ node: Node) {
    if node.isDropped { return }
    let isNeeded = !node.roots.isEmpty || node.parent?.isCovered == true
    if isNeeded {
      if !node.isCovered { cover(node, .appearing) }
      return
    }
    if node.isCovered {
      node.isCovered = false
      for name in node.entries.names where !node.cares(for: name) {
        node.entries[name] = nil
        if let item = pending[PendingKey(node: ObjectIdentifier(node), name: name)] { finish(item) }
      }
      for child in Array(node.children.values) { settleCoverage(child) }
    }
    prune(node)
  }

  private func kind(of device: UInt64, _ descriptor: CInt) -> FileSystemKind? {
    if let known = kindOfDevice[device] { return known }
    let kind: FileSystemKind? =
      switch FileSystemKind.answer(of: descriptor) {
      case .reported: nil
      case .notReported(let kind): kind
      case .unknown: EventProbe.reports(descriptor) ? nil : .silent
      }
    kindOfDevice[device] = kind
    return kind
  }
}
