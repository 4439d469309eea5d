import LinuxSystem

/// The first look at a large tree: names at once, everything else in the background.
///
/// A watch and a list of a directory cost some 15 µs, a look at each of its files as much again. So
/// watching begins with names only; until a file was looked at, records alone tell what happened to it.
extension Engine {
  /// How long the thread looks before it sees to other things.
  private static let slice = Duration.milliseconds(2)

  /// How many directories must be left to go through for a second thread to be worth its start.
  private static let many = 16

  /// Watches a directory with everything below, and takes what is in it as what has always been there,
  /// without looking at what the names name.
  func coverByNames(_ root: Node) {
    // One tick of the file system's clock earlier.
    let since = WallClock.nanoseconds - 10_000_000
    var rest = [root]
    defer { ahead = nil }
    while true {
      if let node = rest.popLast() {
        if node.isDropped { continue }
        node.isCovered = true
        guard let directory = bind(node, forListing: true) else { continue }
        if !mayBeListed(node) {
          rest += look(at: node, directory.number, .baseline)
          continue
        }
        if ahead == nil, rest.count >= Self.many { ahead = ListingAhead() }
        if let ahead {
          ahead.hand(node, directory)
        } else {
          // What cannot be listed is told by who looks at each name.
          let listing = try? DirectoryListing(of: directory.number)
          rest +=
            listing.flatMap { take($0, as: node, since) }
            ?? look(at: node, directory.number, .baseline)
        }
      }
      guard let ahead else {
        if rest.isEmpty { return }
        continue
      }
      let answers = ahead.take(isIdle: rest.isEmpty)
      if answers.isEmpty, rest.isEmpty { return }
      for (node, listing) in answers where !node.isDropped {
        if mayBeListed(node), let next = listing.flatMap({ take($0, as: node, since) }) {
          rest += next
        } else if let directory = bind(node, forListing: true) {
          rest += look(at: node, directory.number, .baseline)
        }
      }
    }
  }

  /// Whether a directory's names may be taken without looking at what they name.
  private func mayBeListed(_ node: Node) -> Bool {
    // Without records nothing tells of a change between the list and the look.
    node.entries.isEmpty && node.pendingCount == 0 && node.identity != nil && node.watch != nil
      && node.pollReason == nil
  }

  /// Takes a directory's names as known; gives the directories in it to go on with.
  ///
  /// Nil where the file system does not say of each name what it names.
  private func take(_ listing: DirectoryListing, as node: Node, _ since: Int64) -> [Node]? {
    guard let identity = node.identity else { return nil }
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
    if unseen.isEmpty { unseenSince = since }
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
