import LinuxSystem

/// Names that went elsewhere, or nowhere.
extension Engine {
  /// Takes a name, with all below it, to another place that is watched or will be.
  ///
  /// Unless `isKnown` says that the place was watched before anybody went there, the watchers of
  /// trees hear a deletion.
  func move(
    _ node: Node,
    _ name: Name,
    to target: Node,
    _ targetName: Name,
    _ state: EntryState,
    isKnown: Bool = true
  ) {
    let (oldPath, newPath) = (node.path(name), target.path(targetName))
    let before = node.isCovered ? trees(over: node) : []
    let after = target.isCovered ? trees(over: target) : []
    let replaced = target.entries[targetName] != nil
    let knew = isKnown && (target.isCovered || target.items[targetName] != nil)
    let newcomers = after.contains { tree in !before.contains { $0 === tree } }
    let contents = knew && !newcomers ? [] : pathsBelow(node, name)
    let child = node.children[name]
    let wasWritten = node.entries[name].map { $0.hasOtherContents(than: state) } ?? false

    // Who watches the replaced item goes on watching its name.
    let residents = target.items[targetName] ?? []
    let displaced = target.children[targetName].flatMap { $0 === child ? nil : $0 }
    let movers = node.items.removeValue(forKey: name) ?? []
    node.entries[name] = nil
    node.children[name] = nil
    target.isPinned = true
    let stranded = displaced.map(displace) ?? []
    target.isPinned = false
    for mover in movers { changePlace(mover, to: target, targetName) }
    if let child { transplant(child, to: target, targetName) }
    if target.cares(for: targetName) { target.entries[targetName] = state }

    if !isSilent {
      for mover in movers { mover.tell(.itemMoved(to: mover.spelling.spelled(newPath))) }
      for inner in child.map(itemsBelow) ?? [] {
        inner.tell(.itemMoved(to: inner.spelling.spelled(inner.path)))
      }
      for resident in residents {
        resident.tell(resident.isMissing ? .itemReturned : .itemChanged)
      }
      tellMove(from: oldPath, to: newPath, before, after, contents, knew: knew, replaced: replaced)
      if wasWritten {
        // Before it moved, or right after.
        for mover in movers { mover.tell(.itemChanged) }
        for tree in before where !replaced && after.contains(where: { $0 === tree }) {
          tree.tell(.subitemChanged(tree.spelling.spelled(newPath)))
        }
      }
    }
    for resident in residents {
      renewHold(resident, state)
      if resident.isMissing { setMissing(resident, false) }
    }
    for mover in movers where mover.isMissing { setMissing(mover, false) }
    if state.kind == .directory { refreshDirectory(target, targetName, state) }
    for (subscription, path) in stranded { put(subscription, at: path, isNew: false) }
    applyMask(target)
    if let child {
      settleCoverage(child)
      // Somebody looked at the new place before this was known to be a move.
      if displaced != nil, child.isCovered { cover(child, .everything) }
    }
    prune(node)
  }

  private func tellMove(
    from old: FilePath,
    to new: FilePath,
    _ before: [Subscription],
    _ after: [Subscription],
    _ contents: [FilePath],
    knew: Bool,
    replaced: Bool
  ) {
    for tree in before {
      if knew || after.contains(where: { $0 === tree }) {
        tree.tell(.subitemMoved(from: tree.spelling.spelled(old), to: tree.spelling.spelled(new)))
        if replaced, after.contains(where: { $0 === tree }) {
          tree.tell(.subitemChanged(tree.spelling.spelled(new)))
        }
      } else {
        for path in contents.reversed() + [old] {
          tree.tell(.subitemDeleted(tree.spelling.spelled(path)))
        }
      }
    }
    for tree in after where !before.contains(where: { $0 === tree }) {
      if replaced {
        tree.tell(.subitemChanged(tree.spelling.spelled(new)))
      } else {
        tree.tell(.subitemAppeared(tree.spelling.spelled(new)))
      }
      for path in contents {
        guard let path = path.rebased(from: old, to: new) else { continue }
        tree.tell(.subitemAppeared(tree.spelling.spelled(path)))
      }
    }
  }

  /// A name is gone and no watched directory has it: the descriptors on it may know more.
  func depart(_ node: Node, _ name: Name, _ old: EntryState) {
    if let place = whereabouts(node, name, old), let parent = place.parent,
      let placeName = place.lastComponent, let state = try? EntryState(at: place)
    {
      // It came back between two looks.
      if place == node.path(name) {
        node.entries[name] = state
        return
      }
      let target = ensureNode(parent)
      bindChain(to: target)
      return move(
        node,
        name,
        to: target,
        Array(placeName),
        state,
        isKnown: target.isCovered
      )
    }
    if let child = node.children[name] { empty(child) }
    node.entries[name] = nil
    reported[PendingKey(node: ObjectIdentifier(node), name: name)] = nil
    for subscription in node.items[name] ?? [] {
      letGo(subscription)
      setMissing(subscription, true)
      if !isSilent { subscription.tell(.itemDeleted) }
    }
    tellTrees(over: node) { .subitemDeleted($0.spelled(node.path(name))) }
    if let child = node.children[name] { prune(child) }
  }

  /// A directory is gone: so is all that was in it.
  func empty(_ node: Node) {
    for (name, state) in node.entries.sorted where node.entries[name] != nil {
      let item = pending[PendingKey(node: ObjectIdentifier(node), name: name)]
      if let item { finish(item) }
      if let item, item.target != nil {
        // It was taken out before.
        left(item, state)
      } else {
        depart(node, name, state)
      }
    }
    for child in Array(node.children.values) { empty(child) }
    node.isCovered = false
    unbind(node)
  }

  /// Nothing is there and nothing was known; a directory that came and went leaves its node.
  func forgetDirectory(_ node: Node, _ name: Name) {
    guard let child = node.children[name] else { return }
    empty(child)
    prune(child)
  }

  // MARK: where it is

  /// The path that the file which was `name` in `node` has now, by the descriptors on it and on what
  /// is in it; nil when it has none or nobody holds it.
  private func whereabouts(_ node: Node, _ name: Name, _ old: EntryState) -> FilePath? {
    for subscription in node.items[name] ?? [] {
      if let path = place(of: subscription, levels: 0, old.identity) { return path }
    }
    guard old.kind == .directory, let child = node.children[name] else { return nil }
    for subscription in itemsBelow(child) {
      guard let inner = subscription.node else { continue }
      // One level for the item itself, one for each directory between.
      let levels = inner.depth - node.depth
      if let path = place(of: subscription, levels: levels, old.identity) { return path }
    }
    return nil
  }

  /// What the kernel says of the descriptor's path, `levels` directories further up, if the file
  /// there is the one that is looked for.
  private func place(of subscription: Subscription, levels: Int, _ identity: Identity) -> FilePath?
  {
    guard let descriptor = subscription.descriptor else { return nil }
    // A link that cannot be read or leads nowhere, as that of a deleted file, says nothing.
    var path = try? FileSystem.readLink(FilePath("/proc/self/fd/\(descriptor.number)"))
    for _ in 0..<levels { path = path?.parent }
    guard let path, path.isAbsolute, let state = try? EntryState(at: path),
      state.identity == identity
    else { return nil }
    return path
  }

  /// All watchers of single names below a directory.
  func itemsBelow(_ node: Node) -> [Subscription] {
    var found = node.items.values.flatMap(\.self)
    for child in node.children.values { found += itemsBelow(child) }
    return found
  }

  /// All that is known to be below a name, directories before their contents.
  private func pathsBelow(_ node: Node, _ name: Name) -> [FilePath] {
    guard let child = node.children[name] else { return [] }
    var found: [FilePath] = []
    for (name, _) in child.entries.sorted {
      found.append(child.path(name))
      found += pathsBelow(child, name)
    }
    return found
  }

  // MARK: changing places

  private func changePlace(_ subscription: Subscription, to node: Node, _ name: Name) {
    if subscription.isMissing { countMissing(subscription, -1) }
    subscription.node = node
    subscription.name = name
    node.items[name, default: []].append(subscription)
    if subscription.isMissing { countMissing(subscription, 1) }
  }

  private func transplant(_ child: Node, to target: Node, _ name: Name) {
    let missing = child.missing
    var above = child.parent
    while let node = above {
      node.missing -= missing
      above = node.parent
    }
    child.place(name, in: target)
    above = target
    while let node = above {
      node.missing += missing
      above = node.parent
    }
  }

  /// Another file takes the place of this directory: what was known in it is gone.
  ///
  /// Gives its watchers, who go on by path.
  private func displace(_ node: Node) -> [(Subscription, FilePath)] {
    empty(node)
    let stranded = (itemsBelow(node)).map { ($0, $0.path) }
    for (subscription, _) in stranded {
      if subscription.isMissing { countMissing(subscription, -1) }
      subscription.isMissing = false
      subscription.node = nil
    }
    node.leave()
    uncoverAll(node)
    return stranded
  }

  /// Gives back everything of nodes that are out of the tree.
  private func uncoverAll(_ node: Node) {
    node.isDropped = true
    node.isCovered = false
    unbind(node)
    for child in node.children.values { uncoverAll(child) }
  }
}
