import AccessClaims
import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem

/// Turns a snapshot of the status into lines.
struct StatusSource {
  private let now = MonotonicInstant.now
  private let today = Date()

  /// Claims, presenters and polled trees of every process, those of `path` only where one is given:
  /// the item, what it lies in, what lies in it.
  func entries(concerning path: FilePath?) throws -> [StatusEntry] {
    let path = try path.map { try ItemResolver.shared.resolve($0, followingLink: false).item }
    let status = try CoordinationStatus.snapshot(for: path)
    var entries = status.claims.flatMap { report in
      report.items.filter { item in
        CoordinationStatus.concerns(item.path, path)
          || CoordinationStatus.concerns(item.claimed, path)
      }.flatMap { self.entries(report, $0) }
    }
    for presenter in status.presenters {
      entries += presenter.paths.map { StatusEntry(.presents, presenter.process, $0) }
    }
    for polled in status.polled {
      var entry = StatusEntry(.polls, polled.process, polled.path)
      entry.reason = polled.reason
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
