import LinuxSystem

/// Deciding what happened to a name: what was known against what is there.
extension Engine {
  /// How many names that are not ready may be looked at for the other halves of those that are.
  private static let others = 1000

  /// Decides all names whose time has come.
  func decideWhatIsDue() {
    guard let due = queue.next(), due <= now else { return }
    familiar = nil
    learnWindows()
    var ready: [Pending] = []
    for item in queue.take(until: now) where !item.isDone {
      if !windows.isEmpty, isInWindow(item.path) { continue }
      let due = item.due(tuning)
      if due > now {
        queue.put(item, at: due)
      } else {
        item.isReady = true
        ready.append(item)
      }
    }
    // Nothing else is pending: nothing to wait for.
    if pending.count > 1 { holdBack(&ready) }
    for item in ready { item.isReady = false }
    decide(ready)
  }

  /// Takes out what must wait for something that is not ready itself, until nothing does.
  private func holdBack(_ ready: inout [Pending]) {
    while true {
      let count = ready.count
      ready.removeAll { item in
        guard let blocker = blocker(of: item) else { return false }
        item.isReady = false
        queue.put(item, at: max(blocker.due(tuning), now + .milliseconds(10)))
        return true
      }
      if ready.count == count { return }
    }
  }

  /// Decides these names together, directories before what is in them.
  func decide(_ items: [Pending]) {
    if items.count == 1, !mayHaveHalves { return decide(items[0]) }
    let ordered = items.map { (depth: $0.node.depth, item: $0) }
      .sorted { ($0.depth, $0.item.number) < ($1.depth, $1.item.number) }
    pairScanned(ordered.map(\.item))
    for (index, (_, item)) in ordered.enumerated() {
      decide(item)
      if index % 128 == 127, !isSilent { readAhead() }
    }
  }

  /// What must be decided first and is not ready: a directory on the way, or the other half of a
  /// rename.
  private func blocker(of item: Pending) -> Pending? {
    if let origin = item.origin, !origin.isDone, !origin.isReady, origin.old != nil {
      return origin
    }
    if let above = directory(above: item, where: { !$0.isReady }) { return above }
    if let target = item.target, !target.isDone {
      return directory(above: target, where: { !$0.isReady })
    }
    return nil
  }

  private func directory(above item: Pending, where condition: (Pending) -> Bool) -> Pending? {
    var node = item.node
    while let parent = node.parent {
      if let above = pending[PendingKey(node: ObjectIdentifier(parent), name: node.name)],
        !above.flags.isDisjoint(with: [.named, .scanned]), condition(above)
      {
        return above
      }
      node = parent
    }
    return nil
  }

  // MARK: one name

  private func decide(_ item: Pending) {
    if item.isDone { return }
    let (node, name) = (item.node, item.name)
    guard !node.isDropped else { return finish(item) }
    // The source of a rename first: it may take this name along.
    let causeBefore = cause
    cause = item.cause
    item.isBeingDecided = true
    defer {
      item.isBeingDecided = false
      cause = causeBefore
    }
    if let origin = item.origin, !origin.isDone, !origin.isBeingDecided, origin.old != nil {
      // A stranger had taken it away before we moved it on.
      let wasSilent = isSilent
      if origin.isForeign, !origin.isOwn { isSilent = false }
      decideAbove(origin)
      decide(origin)
      isSilent = wasSilent
      if item.isDone { return }
    }
    decideFormerPlaces(of: item)
    if item.isDone { return }
    let new: EntryState?
    do {
      new = try EntryState(at: node.path(name))
    } catch {
      // It cannot be looked at now; the next record or look tells.
      return finish(item)
    }
    if let new, mustWait(item, new) { return }
    finish(item)
    switch (node.entries[name], new) {
    case (nil, nil): forgetDirectory(node, name)
    case (let old?, nil): left(item, old)
    case (nil, let new?): if node.cares(for: name) { arrived(node, name, new) }
    case (let old?, let new?): stayed(item, old, new)
    }
  }

  /// A directory that is watched as another one, which is gone, has come from there without a record
  /// that says so: the other one first, whose watchers know.
  private func decideFormerPlaces(of item: Pending) {
    guard item.old == nil, item.origin == nil, let child = item.node.children[item.name],
      let watch = child.watch, let use = watches[watch], use.nodes.count > 1
    else { return }
    for other in use.nodes where other !== child && !other.isDropped {
      guard let parent = other.parent,
        let gone = pending[PendingKey(node: ObjectIdentifier(parent), name: other.name)],
        gone.goneSince != nil, !gone.isBeingDecided
      else { continue }
      decide(gone)
    }
  }

  /// Whether a file that was just made and is still empty is being waited for: its maker has not
  /// closed it.
  private func mustWait(_ item: Pending, _ new: EntryState) -> Bool {
    guard item.awaitsClose, !isSilent, new.kind == .regular, new.size == 0, !new.hasSeveralNames
    else { return false }
    item.awaitsClose = false
    item.openSince = item.first
    enqueue(item)
    return true
  }

  private func stayed(_ item: Pending, _ old: EntryState, _ new: EntryState) {
    let (node, name) = (item.node, item.name)
    let difference = old.difference(to: new, seen: item.flags, distrust: item.distrusts)
    node.entries[name] = new
    let isDirectory = new.kind == .directory || old.kind == .directory
    if isDirectory { refreshDirectory(node, name, new) }
    tell(difference, item)
    // Afterwards: nobody waits for it.
    for subscription in node.items[name] ?? [] { renewHold(subscription, new) }
  }

  private func tell(_ difference: EntryState.Difference, _ item: Pending) {
    let (node, name) = (item.node, item.name)
    switch difference {
    case .none: break
    case .times:
      if !belongsToReport(item) { tellAttributes(node, name) }
    case .access: tellAttributes(node, name)
    case .content, .replaced:
      remember(item.key)
      tellChanged(node, name)
    }
  }

  /// Whether attributes changed right after contents were reported: the same save.
  private func belongsToReport(_ item: Pending) -> Bool {
    guard let when = reported[item.key] else { return false }
    return when + tuning.limit >= item.first
  }

  /// Notes that contents were reported: attributes that change right after belong to that.
  func remember(_ key: PendingKey) {
    if reported.count > 256 {
      reported = reported.filter { $0.value + tuning.whileOpen >= now }
    }
    reported[key] = now
  }

  /// A name is there that was not.
  func arrived(_ node: Node, _ name: Name, _ new: EntryState) {
    node.entries[name] = new
    for subscription in node.items[name] ?? [] {
      renewHold(subscription, new)
      if subscription.isMissing {
        setMissing(subscription, false)
        if !isSilent { subscription.tell(.itemReturned) }
      }
    }
    tellTrees(over: node) { .subitemAppeared($0.spelled(node.path(name))) }
    if new.kind == .directory { refreshDirectory(node, name, new) }
  }

  /// A name is not there that was.
  func left(_ item: Pending, _ old: EntryState) {
    if let target = item.target { decideAbove(target) }
    if let target = destination(of: item, old) {
      let state: EntryState?
      do { state = try EntryState(at: target.path) } catch { state = nil }
      if let state, old.isSame(as: state) {
        finish(target)
        return move(item.node, item.name, to: target.node, target.name, state)
      }
    }
    depart(item.node, item.name, old)
  }

  /// Decides the directories on the way first, so that a name is looked for where it is now.
  private func decideAbove(_ item: Pending) {
    while let above = topmost(above: item) {
      decide(above)
      // A file that took the directory's place and is still being made.
      if !above.isDone { return }
    }
  }

  /// The highest directory on the way that is to be decided: those below it are where it is.
  private func topmost(above item: Pending) -> Pending? {
    var found: Pending?
    var node = item.node
    while let parent = node.parent {
      if let above = pending[PendingKey(node: ObjectIdentifier(parent), name: node.name)],
        !above.flags.isDisjoint(with: .ofName), !above.isBeingDecided
      {
        found = above
      }
      node = parent
    }
    return found
  }

  /// Where renames took it, as far as watched directories know.
  private func destination(of item: Pending, _ old: EntryState) -> Pending? {
    var current = item.target
    var steps = 0
    while let target = current, steps < 64 {
      if target.isDone || target.node.isDropped { return nil }
      // Not readable now is not there.
      if let state = try? EntryState(at: target.path), old.isSame(as: state) {
        return target
      }
      current = target.target
      steps += 1
    }
    return nil
  }

  /// Pairs what looks found gone with what they found new: records that would say so were lost.
  ///
  /// After a loss also with what is not ready: of one rename, a look may find one half, and the next look, or
  /// a record, the other one.
  private func pairScanned(_ items: [Pending]) {
    // Those that are very many were found by one look, and are decided together.
    let isMixed = mayHaveHalves && pending.count - items.count <= Self.others
    let all = isMixed ? Array(pending.values) : items
    let gone = all.filter {
      !$0.isDone && $0.goneSince != nil && $0.target == nil
        && (isMixed || $0.flags.contains(.scanned))
    }
    guard gone.contains(where: { $0.old != nil }) else { return }
    var arrivals: [Identity: Pending] = [:]
    let halves = isMixed ? [] : pending.values.filter(\.cameFromNowhere)
    for item in all + halves
    where !item.isDone && item.old == nil && item.origin == nil
      && (item.cameFromNowhere || item.flags.contains(.scanned))
    {
      // Not readable now is not there.
      if let state = try? EntryState(at: item.path) { arrivals[state.identity] = item }
    }
    if arrivals.isEmpty { return }
    for item in gone {
      guard let old = item.old else { continue }
      if let target = arrival(of: old, in: arrivals) {
        item.target = target
        target.origin = item
      } else if let child = item.node.children[item.name] {
        pairContents(child, arrivals)
      }
    }
  }

  /// Pairs what was in a directory that is gone: it may have been taken out before.
  private func pairContents(_ node: Node, _ arrivals: [Identity: Pending]) {
    for (name, state) in node.entries.sorted {
      if let target = arrival(of: state, in: arrivals) {
        let item = mark(node, name, .scanned)
        item.goneSince = now
        item.target = target
        target.origin = item
        enqueue(item)
      } else if let child = node.children[name] {
        pairContents(child, arrivals)
      }
    }
  }

  private func arrival(of old: EntryState, in arrivals: [Identity: Pending]) -> Pending? {
    guard !old.isUnseen, let target = arrivals[old.identity],
      // Not readable now is not there.
      let state = try? EntryState(at: target.path), state.kind == old.kind,
      // An inode number is used again at once; contents tell whether it is the same file.
      old.kind == .directory || (state.size == old.size && state.modified == old.modified)
    else { return nil }
    return target
  }

  // MARK: telling

  private func tellChanged(_ node: Node, _ name: Name) {
    if isSilent { return }
    for subscription in node.items[name] ?? [] { subscription.tell(.itemChanged) }
    tellTrees(over: node) { .subitemChanged($0.spelled(node.path(name))) }
  }

  private func tellAttributes(_ node: Node, _ name: Name) {
    if isSilent { return }
    for subscription in node.items[name] ?? [] { subscription.tell(.itemAttributesChanged) }
    tellTrees(over: node) { .subitemChanged($0.spelled(node.path(name))) }
  }

  /// Tells the watchers of trees that hold the names in `node`.
  func tellTrees(over node: Node, _ event: (PathSpelling) -> ChangeEvent) {
    if isSilent || !node.isCovered { return }
    for subscription in trees(over: node) { subscription.tell(event(subscription.spelling)) }
  }

  /// The watchers of trees that hold the names in `node`.
  func trees(over node: Node) -> [Subscription] {
    var found: [Subscription] = []
    var current: Node? = node
    while let node = current {
      found += node.roots
      current = node.parent
    }
    return found
  }
}
