import LinuxSystem

/// Looking instead of being told: after lost records, and where there are none.
extension Engine {
  /// The kernel dropped records: everything is compared with the disk.
  func rescanEverything() { rescan(root, onlyPolled: false) }

  /// Compares what is below a node with the disk; differences are decided once they have settled.
  func rescan(_ node: Node, onlyPolled: Bool) {
    if node.isDropped { return }
    if onlyPolled, node.pollReason == nil {
      for child in Array(node.children.values) { rescan(child, onlyPolled: true) }
      return
    }
    if node.isCovered { return cover(node, .everything) }
    if !onlyPolled { rewatch(node) }
    for name in Set(node.items.keys).union(node.children.keys) { compareWithDisk(node, name) }
    for child in Array(node.children.values) { rescan(child, onlyPolled: onlyPolled) }
  }

  /// Watches what has the node's path now: the record that ended its watch may be among the lost, and
  /// another directory may have got the old one's inode.
  private func rewatch(_ node: Node) {
    guard node.watch != nil else { return }
    node.mask = []
    applyMask(node)
  }

  private func compareWithDisk(_ node: Node, _ name: Name) {
    // What cannot be looked at is as if it were not there.
    let state = try? EntryState(at: node.path(name))
    switch (node.entries[name], state) {
    case (nil, nil): return
    case (let old?, let new?):
      if let child = node.children[name], child.identity != new.identity {
        enqueue(mark(node, name, .scanned))
      } else {
        compare(node, name, old, new)
      }
    case (_?, nil): markMissing(node, name)
    case (nil, _?): enqueue(mark(node, name, .scanned))
    }
  }

  // MARK: polling

  func poll(_ node: Node, _ reason: PollReason) {
    if node.pollReason == reason { return }
    // A refusal is said first: it is what somebody can do something about.
    if node.pollReason?.mayPass == true, !reason.mayPass { return }
    node.pollReason = reason
    polled[ObjectIdentifier(node)] = node
    degradationChanged = true
    if nextPoll == nil {
      pollInterval = tuning.shortestPoll
      nextPoll = now + pollInterval
    }
  }

  func endPolling(_ node: Node) {
    node.pollReason = nil
    polled[ObjectIdentifier(node)] = nil
    degradationChanged = true
    if polled.isEmpty { nextPoll = nil }
  }

  /// Looks at all that is polled, when it is time.
  ///
  /// The interval begins at ``Tuning/shortestPoll``, grows by half with each look that finds nothing
  /// up to ``Tuning/longestPoll``, and is never less than 20 times what a look takes.
  func pollIfDue() {
    guard let due = nextPoll, due <= now else { return }
    familiar = nil
    let before = lastNumber
    if source == nil {
      openSource()
      renewGuards(afterLoss: false)
    }
    for node in Array(polled.values) where !node.isDropped {
      if node.pollReason?.mayPass == true { _ = bind(node, forListing: false) }
      lookOnce(node)
    }
    let cost = MonotonicInstant.now - now
    let next =
      lastNumber > before ? tuning.shortestPoll : min(pollInterval * 3 / 2, tuning.longestPoll)
    pollInterval = max(next, cost * 20)
    now = .now
    nextPoll = polled.isEmpty ? nil : now + pollInterval
    degradationChanged = true
  }

  /// Looks at one directory; those below that are polled too are looked at by themselves.
  func lookOnce(_ node: Node) {
    if node.isCovered {
      guard let directory = bind(node, forListing: true) else { return }
      for child in look(at: node, directory.number, .everything) where !child.isCovered {
        cover(child, .appearing)
      }
    } else {
      for name in Set(node.items.keys).union(node.children.keys) { compareWithDisk(node, name) }
    }
  }

  // MARK: telling of it

  /// Makes public what callers may ask, and tells watchers whose state changed.
  func publish() {
    let statistics = MonitorStatistics(
      watches: watches.count,
      unseen: unseen.count,
      pending: pending.count,
      renames: renames.count,
      descriptorsLeft: descriptorsLeft
    )
    shared.degradation.withLock { $0.statistics = statistics }
    guard degradationChanged else { return }
    degradationChanged = false
    var above: [ObjectIdentifier: PollReason] = [:]
    var trees: [DegradedTree] = []
    for node in polled.values {
      guard let reason = node.pollReason else { continue }
      if node.parent?.pollReason == nil {
        trees.append(DegradedTree(path: node.path, reason: reason.text, interval: pollInterval))
      }
      var current: Node? = node
      while let node = current, above[ObjectIdentifier(node)] == nil {
        above[ObjectIdentifier(node)] = reason
        current = node.parent
      }
    }
    let sorted = trees.sorted { $0.path < $1.path }
    shared.degradation.withLock { $0.trees = sorted }
    for subscription in subscriptions.values {
      let reason = degradation(of: subscription, above)
      guard (reason != nil) != subscription.isDegraded else { continue }
      subscription.isDegraded = reason != nil
      subscription.tell(reason.map { .becameDegraded($0.text) } ?? .recovered)
    }
  }

  private func degradation(
    of subscription: Subscription,
    _ above: [ObjectIdentifier: PollReason]
  ) -> PollReason? {
    if let child = subscription.node?.children[subscription.name], !child.roots.isEmpty,
      let reason = above[ObjectIdentifier(child)]
    {
      return reason
    }
    var current = subscription.node
    while let node = current {
      if let reason = node.pollReason { return reason }
      current = node.parent
    }
    return nil
  }
}
