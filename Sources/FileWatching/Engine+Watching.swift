import LinuxSystem

/// Watchers come, go and are sent elsewhere.
extension Engine {
  func attach(_ listener: Listener, at path: FilePath) {
    let subscription = Subscription(listener, at: path)
    subscriptions[listener.token] = subscription
    put(subscription, at: path, isNew: true)
    source?.rest()
    publish()
  }

  /// Gives a watcher its place.
  ///
  /// Everything on the way is watched first and looked at then.
  func put(_ subscription: Subscription, at path: FilePath, isNew: Bool) {
    let isTree = subscription.listener.scope == .tree
    let canonical = canonicalPath(path, isTree)
    if isNew { subscription.spelling = PathSpelling(canonical: canonical, spelled: path) }
    let name = canonical.lastComponent.map(Array.init) ?? []
    let node = canonical.parent.map(ensureNode) ?? root
    subscription.node = node
    subscription.name = name
    node.items[name, default: []].append(subscription)
    bindChain(to: node)
    // What cannot be looked at is as if it were not there.
    let state = try? EntryState(at: canonical)
    let isWaiting = pending[PendingKey(node: ObjectIdentifier(node), name: name)] != nil
    guard isNew else {
      // It was told that its item is gone; whether it is back is decided like any return.
      if node.entries[name] == nil { setMissing(subscription, true) }
      return enqueue(mark(node, name, .scanned))
    }
    let known = node.entries[name]
    // Gone or of another kind since it was listed: its record decides, by what was known.
    let isNews = known == nil || (known?.isUnseen == true && known?.kind == state?.kind)
    if !isWaiting, isNews { node.entries[name] = state }
    // Of a tree above: what the queue holds may be older than this look.
    if known?.isUnseen == true { node.seenInRound = round }
    guard let state else { return setMissing(subscription, true) }
    renewHold(subscription, state)
    guard isTree, state.kind == .directory else { return }
    let child = name.isEmpty ? node : ensureChild(name, of: node)
    child.roots.append(subscription)
    if !child.isCovered { cover(child, .baseline) }
  }

  /// Ends a watcher's part in everything.
  func detach(_ token: WatchToken) {
    guard let subscription = subscriptions.removeValue(forKey: token) else { return }
    take(subscription)
  }

  private func take(_ subscription: Subscription) {
    guard let node = subscription.node else { return }
    let name = subscription.name
    letGo(subscription)
    setMissing(subscription, false)
    node.items[name]?.removeAll { $0 === subscription }
    if node.items[name]?.isEmpty == true { node.items[name] = nil }
    subscription.node = nil
    if let child = name.isEmpty ? node : node.children[name] {
      child.roots.removeAll { $0 === subscription }
      settleCoverage(child)
    }
    if !node.cares(for: name) {
      node.entries[name] = nil
      let key = PendingKey(node: ObjectIdentifier(node), name: name)
      if let item = pending[key] { finish(item) }
      reported[key] = nil
    }
    prune(node)
  }

  /// Sends a watcher to where its item was moved, quietly.
  func retarget(_ token: WatchToken, to path: FilePath) {
    guard let subscription = subscriptions[token], let node = subscription.node else { return }
    let isTree = subscription.listener.scope == .tree
    let canonical = canonicalPath(path, isTree)
    defer { subscription.spelling = PathSpelling(canonical: canonical, spelled: path) }
    if subscription.path == canonical { return }
    let wasSilent = isSilent
    isSilent = true
    defer { isSilent = wasSilent }
    // The directory's watches are taken along where it is the same one.
    if let old = node.entries[subscription.name], let parent = canonical.parent,
      let name = canonical.lastComponent, let state = try? EntryState(at: canonical),
      state.identity == old.identity, isFree(subscription.path)
    {
      let target = ensureNode(parent)
      bindChain(to: target)
      return move(node, subscription.name, to: target, Array(name), state)
    }
    take(subscription)
    put(subscription, at: path, isNew: true)
  }

  /// Whether nothing has the path.
  private func isFree(_ path: FilePath) -> Bool {
    do { return try EntryState(at: path) == nil } catch { return false }
  }

  private func canonicalPath(_ path: FilePath, _ isTree: Bool) -> FilePath {
    let canonical = CanonicalPath.of(path, followingLink: false)
    // What cannot be looked at is no link.
    guard isTree, (try? FileStatus(of: canonical))?.kind == .link,
      (try? FileStatus(of: canonical, followingLink: true))?.kind == .directory
    else { return canonical }
    return CanonicalPath.of(path, followingLink: true)
  }

  // MARK: holding on to an item

  /// Keeps a descriptor on the item as it is now, and a watch on the file where it has more names.
  func renewHold(_ subscription: Subscription, _ state: EntryState) {
    // A descriptor that cannot be asked is as good as none.
    let held = subscription.descriptor.flatMap { try? FileStatus(ofNumber: $0.number) }
    if held.map(Identity.init) != state.identity {
      letGo(subscription)
      if descriptorsLeft > 0, let descriptor = open(subscription.path, state) {
        subscription.descriptor = descriptor
        descriptorsLeft -= 1
      }
    }
    watchItself(subscription, state)
  }

  func letGo(_ subscription: Subscription) {
    familiar = nil
    if let descriptor = subscription.descriptor {
      // Closed later: it may be the last that keeps a file that was replaced, and freeing the file's
      // blocks takes milliseconds, for which whoever replaced it would wait.
      parting.append(descriptor)
      subscription.descriptor = nil
      descriptorsLeft += 1
    }
    if let watch = subscription.selfWatch {
      subscription.selfWatch = nil
      watches[watch]?.items.removeAll { $0 === subscription }
      freeIfUnused(watch)
    }
  }

  /// A write under another name of a file is reported to that name's directory only: such a file is
  /// watched itself.
  private func watchItself(_ subscription: Subscription, _ state: EntryState) {
    guard state.hasSeveralNames else {
      if let watch = subscription.selfWatch {
        subscription.selfWatch = nil
        watches[watch]?.items.removeAll { $0 === subscription }
        freeIfUnused(watch)
      }
      return
    }
    guard subscription.selfWatch == nil,
      let descriptor = subscription.descriptor ?? open(subscription.path, state),
      // Refused: writes under the other names go unseen, those under this one do not.
      let watch = try? source?.add(
        descriptor.number,
        isDirectory: false,
        [.modified, .closedAfterWriting, .attributes, .add]
      )
    else { return }
    subscription.selfWatch = watch
    watches[watch, default: WatchUse()].items.append(subscription)
  }

  private func open(_ path: FilePath, _ state: EntryState) -> SharedDescriptor? {
    // Without a descriptor the item is watched all the same; only where it went is not known.
    guard let descriptor = try? Descriptor.open(path, [.pathOnly, .noFollow]) else { return nil }
    let shared = SharedDescriptor(descriptor)
    guard let status = try? FileStatus(ofNumber: shared.number), Identity(status) == state.identity
    else { return nil }
    return shared
  }

  // MARK: what is not there

  /// Notes that the item is not there, or is again: then directories on the way tell less.
  func setMissing(_ subscription: Subscription, _ isMissing: Bool) {
    guard subscription.isMissing != isMissing else { return }
    subscription.isMissing = isMissing
    countMissing(subscription, isMissing ? 1 : -1)
    var current = subscription.node
    while let node = current {
      applyMask(node)
      current = node.parent
    }
    // A name that came back before the kernel was asked has no record.
    if isMissing, let node = subscription.node { lookForReturn(node, subscription.name) }
  }

  func countMissing(_ subscription: Subscription, _ count: Int) {
    var current = subscription.node
    while let node = current {
      node.missing += count
      current = node.parent
    }
  }

  private func lookForReturn(_ node: Node, _ name: Name) {
    var (node, name) = (node, name)
    while true {
      // Not readable now is not there.
      if let state = try? EntryState(at: node.path(name)), node.entries[name] == nil {
        _ = state
        enqueue(mark(node, name, .scanned))
        return
      }
      guard let parent = node.parent, node.watch == nil else { return }
      (node, name) = (parent, node.name)
    }
  }
}
