import AccessClaims
import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem
import PresenterLink

/// Reads the status out of the runtime directory; takes no lock and asks nobody.
struct StatusSource {
  private let runtime: RuntimeDirectory
  private let now = MonotonicInstant.now
  private let today = Date()

  init() throws { runtime = try RuntimeDirectory.shared() }

  /// Claims, presenters and polled trees of every process, those of `path` only where one is given:
  /// the item, what it lies in, what lies in it.
  func entries(concerning path: FilePath?) throws -> [StatusEntry] {
    let path = try path.map { try ItemResolver.shared.resolve($0, followingLink: false).item }
    func concerns(_ other: FilePath) -> Bool {
      guard let path else { return true }
      return other == path || other.isInside(path) || path.isInside(other)
    }
    var entries = try ClaimTable.reports(in: runtime, for: nil).flatMap { report in
      report.items.filter { concerns($0.path) || concerns($0.claimed) }
        .flatMap { self.entries(report, $0) }
    }
    for peer in try PresenterLink.shared().everything() {
      for item in peer.paths where concerns(item) {
        entries.append(StatusEntry(.presents, peer.process, item))
      }
    }
    for (process, tree) in try PolledTreeList.everything(in: runtime) where concerns(tree.path) {
      var entry = StatusEntry(.polls, process, tree.path)
      entry.reason = tree.reason
      entries.append(entry)
    }
    return entries.sorted { ($0.state, $0.path, $0.pid) < ($1.state, $1.path, $1.pid) }
  }

  private func entries(_ report: ClaimReport, _ item: ClaimReport.Item) -> [StatusEntry] {
    func entry(_ state: StatusEntry.State, _ process: ProcessIdentity) -> StatusEntry {
      var entry = StatusEntry(state, process, item.path)
      entry.kind = Self.kind(item.access)
      if !report.purpose.isEmpty { entry.purpose = report.purpose }
      if let since = report.since {
        entry.began = since
        let age: Duration = now - since
        entry.since = ClockTime.iso(today.addingTimeInterval(-(age / Duration.seconds(1))))
      }
      return entry
    }
    if case .inherited(let survivors) = report.state {
      return survivors.map { process in
        var survivor = entry(.holds, process)
        survivor.reason = "inherited from a filecoord that is gone"
        return survivor
      }
    }
    guard let claimant = report.claim?.process else { return [] }
    switch report.state {
    case .waiting(_, let holders):
      var waiter = entry(.waits, claimant)
      var seen: Set<Int32> = []
      waiter.for = holders.map(\.process).filter { seen.insert($0.pid).inserted }
        .map(StatusEntry.Party.init)
      return [waiter]
    case .asking(let processes):
      var asker = entry(.asks, claimant)
      asker.for = processes.map(StatusEntry.Party.init)
      return [asker]
    case .granted, .inherited: return [entry(.holds, claimant)]
    }
  }

  private static func kind(_ access: ClaimRequest.Access) -> String {
    switch access {
    case .read: "read"
    case .write: "write"
    case .movingWrite: "moving"
    case .structuralWrite: "structural"
    }
  }
}
