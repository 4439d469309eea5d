package import CoordinationRuntime
package import LinuxSystem

/// One claim of any process, as `filecoord status` shows it.
package struct ClaimReport: Sendable {
  /// One item of it.
  package struct Item: Sendable {
    package let path: FilePath
    /// What is locked: the path, or the package around it.
    package let claimed: FilePath
    package let access: ClaimRequest.Access
  }
  /// How it stands.
  package enum State: Sendable {
    case granted
    /// Waits for this path, which those claims hold or are next at.
    case waiting(for: FilePath, heldBy: [ClaimID])
    /// Waits for the answers of presenters in these processes.
    case asking([ProcessIdentity])
    /// Its process is gone, but these go on holding the lock that they inherited.
    case inherited(by: [ProcessIdentity])
  }

  /// Nil when the claimant is gone and only the lock is left.
  package let claim: ClaimID?
  package let items: [Item]
  package let purpose: String
  /// When the state began; nil when nobody knows.
  package let since: MonotonicInstant?
  package let state: State
  /// Whether its process is stopped: it is waited for all the same.
  package let isStopped: Bool

  /// Every claim of every process, and locks that outlived theirs.
  ///
  /// With a path, only claims of it, of what is in it and of packages around it. Reads a few files
  /// per process and the descriptors of all processes; never blocks.
  package static func all(in runtime: RuntimeDirectory, for path: FilePath? = nil)
    throws(RuntimeDirectoryError) -> [ClaimReport]
  {
    let entries = try BoardEntry.all(in: runtime)
    let graph = WaitGraph(entries: entries)
    // One without items is made for a partner, whose own claim is shown.
    let claims = entries.filter { !$0.items.isEmpty }.map { ClaimReport($0, graph) }
    let inherited = InheritedLock.all(in: runtime).filter { lock in
      !entries.contains { $0.isInheritable && $0.targets(lock.path, lock.kind) }
    }
    let reports = claims + inherited.map(ClaimReport.init)
    guard let path else { return reports }
    return reports.filter { report in report.items.contains { $0.concerns(path) } }
  }

  private init(_ entry: BoardEntry, _ graph: WaitGraph) {
    claim = entry.id
    items = entry.items.map { Item(path: $0.item, claimed: $0.claimed, access: $0.access) }
    purpose = entry.purpose
    since = entry.since
    isStopped = entry.id.process.state == .stopped
    state =
      switch entry.state {
      case .waiting:
        .waiting(
          for: entry.wait?.path ?? FilePath("/"),
          heldBy: graph.blockers(of: entry).map(\.id)
        )
      case .asking: .asking(entry.asked)
      case .granted, .moving: .granted
      }
  }

  private init(_ lock: InheritedLock) {
    claim = nil
    items = [
      Item(
        path: lock.path,
        claimed: lock.path,
        access: lock.kind == .tree ? .structuralWrite : lock.isExclusive ? .write : .read
      )
    ]
    purpose = ""
    since = nil
    isStopped = lock.holders.contains { $0.state == .stopped }
    state = .inherited(by: lock.holders)
  }
}

extension ClaimReport.Item {
  fileprivate func concerns(_ asked: FilePath) -> Bool {
    path == asked || claimed == asked || path.isInside(asked) || asked.isInside(claimed)
  }
}

extension ClaimTable {
  /// ``ClaimReport/all(in:for:)``.
  package static func reports(in runtime: RuntimeDirectory, for path: FilePath?)
    throws(RuntimeDirectoryError) -> [ClaimReport]
  {
    try ClaimReport.all(in: runtime, for: path)
  }
}
