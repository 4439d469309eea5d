import CoordinationRuntime
import LinuxSystem

/// Who waits for whom, as far as the boards of all processes tell.
///
/// An edge is only drawn where the wait is certain; so a cycle is a deadlock, if it is seen twice.
struct WaitGraph {
  let entries: [BoardEntry]

  /// The claims that keep this one from going on.
  func blockers(of claim: BoardEntry) -> [BoardEntry] {
    switch claim.state {
    case .waiting: holders(inTheWayOf: claim)
    case .granted, .moving: entries.filter { isNested($0, in: claim) }
    case .asking:
      entries.filter {
        $0.state == .waiting && ($0.passes.contains(claim.id) || isMadeWhileAsking($0, claim))
      }
    }
  }

  /// Whether the thread that asks is inside another claim: it runs messages for its queue meanwhile.
  private func isMadeWhileAsking(_ inner: BoardEntry, _ asker: BoardEntry) -> Bool {
    inner.id.process == asker.id.process && inner.thread == asker.thread
      && inner.id.number != asker.id.number
  }

  /// The claims that hold, or are next at, the node where this one waits.
  private func holders(inTheWayOf claim: BoardEntry) -> [BoardEntry] {
    guard let wait = claim.wait else { return [] }
    return entries.filter { other in
      if other.id == claim.id || claim.isRelated(to: other) { return false }
      if other.state == .asking {
        return !wait.isExpress && other.targets(wait.path, wait.kind)
          || other.holds(wait.path, wait.kind, against: wait.mode)
      }
      if let theirs = other.wait, theirs.isAtNode, !theirs.isExpress, !wait.isExpress,
        theirs.path == wait.path, theirs.kind == wait.kind
      {
        return true
      }
      return other.holds(wait.path, wait.kind, against: wait.mode)
    }
  }

  /// Whether a claim inside the accessor of this one keeps it from ending: it waits for others' claims
  /// or for presenters.
  private func isNested(_ inner: BoardEntry, in outer: BoardEntry) -> Bool {
    (inner.state == .waiting || inner.state == .asking)
      && inner.id.process == outer.id.process && inner.outer.contains(outer.id.number)
  }

  /// A chain of claims that begins and ends with this one, each waiting for the next; nil: none.
  func cycle(through start: BoardEntry) -> [BoardEntry]? {
    var seen: Set<ClaimID> = []
    var path: [BoardEntry] = []
    func visit(_ claim: BoardEntry) -> Bool {
      path.append(claim)
      for next in blockers(of: claim) {
        if next.id == start.id { return true }
        if seen.insert(next.id).inserted, visit(next) { return true }
      }
      path.removeLast()
      return false
    }
    return visit(start) ? path : nil
  }

  /// The one claim of a cycle that has to give way: the one that began to wait last among those that
  /// hold others meanwhile.
  static func victim(of cycle: [BoardEntry]) -> BoardEntry? {
    cycle.filter { $0.state == .waiting && !($0.outer.isEmpty && $0.passes.isEmpty) }
      .max { a, b in
        let x = (a.since.nanoseconds, UInt64(UInt32(bitPattern: a.id.process.pid)), a.id.number)
        let y = (b.since.nanoseconds, UInt64(UInt32(bitPattern: b.id.process.pid)), b.id.number)
        return x < y
      }
  }

  /// A cycle in words.
  static func describe(_ cycle: [BoardEntry]) -> String {
    cycle.map { claim in
      let item = claim.items.first.map { "\($0.item)" } ?? "?"
      return switch claim.state {
      case .waiting: "\(claim.id.process) waits for \(claim.wait.map { "\($0.path)" } ?? item)"
      case .asking: "\(claim.id.process), asking about \(item),"
      case .granted, .moving: "\(claim.id.process), which holds \(item),"
      }
    }
    .joined(separator: "; ")
  }
}

extension BoardEntry {
  /// Whether the two never wait for each other: one purpose, or nested.
  func isRelated(to other: BoardEntry) -> Bool {
    let isOurs = id.process == other.id.process
    if isOurs, outer.contains(other.id.number) { return true }
    return purpose == other.purpose && (isOurs || hasSharedPurpose && other.hasSharedPurpose)
  }

  /// Whether the claim needs this node as that of a requested item.
  func targets(_ path: FilePath, _ kind: NodeKind) -> Bool {
    items.contains {
      $0.claimed == path && (kind == .item || $0.access == .structuralWrite)
    }
  }

  /// Whether the claim holds a node in a mode that excludes `mode`.
  func holds(_ path: FilePath, _ kind: NodeKind, against mode: LockMode) -> Bool {
    if state == .asking {
      // The items were given back, and the trees after the first one.
      guard kind == .tree, mode == .exclusive, let first = items.map(\.claimed).min() else {
        return false
      }
      return path < first && items.contains { $0.claimed.isInside(path) }
    }
    guard isTaken(path, kind) else { return false }
    return items.contains { item in
      switch kind {
      case .item: item.claimed == path && (mode == .exclusive || item.access != .read)
      case .tree:
        item.claimed == path && item.access == .structuralWrite
          || mode == .exclusive && item.claimed.isInside(path)
      }
    }
  }

  /// Whether a claim that waits has taken this node already: nodes are taken in order.
  private func isTaken(_ path: FilePath, _ kind: NodeKind) -> Bool {
    guard state == .waiting else { return true }
    guard let wait else { return false }
    if path == wait.path { return kind.rawValue < wait.kind.rawValue }
    return path < wait.path
  }
}
