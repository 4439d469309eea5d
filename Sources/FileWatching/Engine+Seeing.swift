import LinuxSystem

/// The first look at a large tree: names at once, everything else in the background.
///
/// A watch and a list of a directory cost some 15 µs, a look at each of its files as much again. So
/// watching begins with names only; until a file was looked at, records alone tell what happened to it.
extension Engine {
  /// How long the thread looks before it sees to other things.
  private static let slice = Duration.milliseconds(2)

  /// Takes a directory's names as what has always been there, without looking at what they name.
  ///
  /// Gives the directories in it to go on with; nil where each name must be looked at.
  func list(_ node: Node, _ directory: CInt, _ walk: Walk) -> [Node]? {
    guard walk == .baseline, node.entries.isEmpty, node.pendingCount == 0,
      let identity = node.identity,
      // Without records nothing tells of a change between the list and the look.
      node.watch != nil, node.pollReason == nil,
      // What cannot be listed is told by who looks at each name.
      let listing = try? DirectoryListing(of: directory)
    else { return nil }
    var next: [Node] = []
    var isComplete = true
    listing.forEach { entry in
      if entry.kind == .directory {
        let child = ensureChild(Array(listing.bytes[entry.name]), of: node)
        if !child.isCovered { next.append(child) }
      } else if entry.kind == nil {
        isComplete = false
      }
    }
    guard isComplete else { return nil }
    if unseen.isEmpty {
      // One tick of the file system's clock earlier.
      unseenSince = WallClock.nanoseconds - 10_000_000
    }
    node.entries = EntryTable(listing, device: identity.device)
    unseen.append(node)
    return next
  }

  /// Looks at files of which only the names are known, for a moment.
  func seeSome() {
    guard !unseen.isEmpty else { return }
    let limit = MonotonicInstant.now + Self.slice
    while MonotonicInstant.now < limit, let node = unseen.popLast() { see(node) }
    if unseen.isEmpty { unseen = [] }
  }

  private func see(_ node: Node) {
    guard !node.isDropped, node.isCovered, !node.entries.isEmpty else { return }
    // What is there now may be another directory: then its record is on the way.
    guard let directory = try? Descriptor.open(node.path, [.pathOnly, .directory, .noFollow]),
      let status = try? FileStatus(ofNumber: directory.number), node.identity == Identity(status)
    else { return }
    let number = directory.number
    let hasPending = node.pendingCount > 0
    node.entries.see { name in
      // Something was heard of it: that decides, and then it is looked at.
      if hasPending, pending[PendingKey(node: ObjectIdentifier(node), name: name)] != nil {
        return nil
      }
      // Gone already, or not to be looked at: its record tells.
      guard let status = try? FileStatus(of: FilePath(bytes: name), at: number) else { return nil }
      return EntryState(status)
    }
    node.seenInRound = round
  }
}
