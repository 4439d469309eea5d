import LinuxSystem

/// Coordinated writes of ours, and waiting for all to be told.
extension Engine {
  /// Learns which windows are open.
  ///
  /// After every read: a window that opened before a write is known before the write's records are
  /// looked at.
  func learnWindows() {
    if let current = shared.windows(since: &windowVersion) { windows = current }
  }

  func isInWindow(_ path: FilePath) -> Bool {
    windows.contains { $0.covers(path) }
  }

  /// Ends a window: what it covers is taken as known, or reported, if nobody else tells of it.
  func close(_ id: WindowID, isTold: Bool, _ done: @Sendable () -> Void) {
    learnWindows()
    drain()
    guard let window = windows.first(where: { $0.id == id }) else { return done() }
    for (path, before) in zip(window.paths, window.before) { lookAt(path, before) }
    // While the window is still open: one that opens in this moment finds it, and so takes nothing
    // that is not folded yet for a stranger's.
    if isTold { fold(window) }
    shared.close(id)
    learnWindows()
    now = .now
    for item in Array(pending.values) where window.covers(item.path) { enqueue(item) }
    decideWhatIsDue()
    done()
  }

  /// Takes what the window alone covers as known, and what comes up by that.
  private func fold(_ window: MonitorState.Window) {
    isSilent = true
    defer { isSilent = false }
    for _ in 0..<64 {
      let others = windows.filter { $0.id != window.id }
      let own = pending.values.filter { item in
        let path = item.path
        return !item.isForeign && window.covers(path) && !others.contains { $0.covers(path) }
      }
      if own.isEmpty { return }
      decide(own)
    }
  }

  /// Looks at the window's own path, whether or not there was a record: what is polled has none, and
  /// a write through a mapping has none either.
  private func lookAt(_ path: FilePath, _ before: FileStatus?) {
    guard let (node, name) = find(path) else { return }
    if node.cares(for: name) {
      let known = node.entries[name]
      let item = mark(node, name, .scanned)
      if isOlder(known, than: before) { item.isForeign = true }
    }
    if !polled.isEmpty, let child = node.children[name] { rescan(child, onlyPolled: true) }
  }

  /// Whether a stranger changed it before the window opened, and we have not been told yet.
  private func isOlder(_ known: EntryState?, than before: FileStatus?) -> Bool {
    guard let before else { return false }
    guard let known, !known.isUnseen else { return false }
    return known.changed < EntryState.nanoseconds(before.changed)
  }

  /// The node that holds a name, if there is one.
  private func find(_ path: FilePath) -> (Node, Name)? {
    guard let parent = path.parent, let name = path.lastComponent else { return nil }
    var node = root
    for part in parent.bytes.split(separator: .slash, omittingEmptySubsequences: true) {
      guard let child = node.children[Array(part)] else { return nil }
      node = child
    }
    return (node, Array(name))
  }

  // MARK: fences

  func fence(_ done: @escaping @Sendable () -> Void) {
    drain()
    for node in Array(polled.values) where !node.isDropped { lookOnce(node) }
    fences.append(Fence(number: lastNumber, remaining: pending.count, done: done))
  }

  /// Lets the fences through before which nothing is pending any more.
  ///
  /// What lies in an open window is not waited for.
  func passFences() {
    while let fence = fences.first {
      if fence.remaining > 0 {
        guard !windows.isEmpty else { return }
        let isWaiting = pending.values.contains {
          $0.cause <= fence.number && !isInWindow($0.path)
        }
        if isWaiting { return }
      }
      fences.removeFirst()
      fence.done()
    }
  }
}
