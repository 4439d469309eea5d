import AccessClaims
package import CoordinationRuntime
package import LinuxSystem
import PresenterLink

/// Who holds what, who waits for whom, who presents what and what is polled, in all processes.
///
/// A snapshot of things that go on: nothing is stopped while it is taken.
package struct CoordinationStatus: Codable, Sendable {
  /// A process, as people know it.
  package struct Process: Codable, Sendable, Hashable {
    package let pid: Int32
    package let name: String

    init(_ process: ProcessIdentity) {
      pid = process.pid
      name = process.name ?? "?"
    }
  }

  /// One claim.
  package struct Claim: Codable, Sendable {
    /// What it does now.
    package enum State: String, Codable, Sendable { case holds, waits, asks, inherited }
    /// One of its items.
    package struct Item: Codable, Sendable {
      package let path: String
      /// `read`, `write`, or `write-all` for deleting, replacing and moving what is inside too.
      package let access: String
    }
    package let state: State
    /// The claimant; for an inherited lock, the processes that hold it on.
    package let processes: [Process]
    package let items: [Item]
    /// How long it has been so, in seconds; nil when nobody knows.
    package let seconds: Double?
    /// Whom it waits for.
    package let waitsFor: [Process]
    /// What it waits at.
    package let waitsAt: String?
    /// Whether its process is stopped; it is waited for all the same.
    package let isStopped: Bool
  }

  /// One process that presents items.
  package struct Presenter: Codable, Sendable {
    package let process: Process
    package let paths: [String]
  }

  /// One tree that is looked at now and then instead of being watched.
  package struct Polled: Codable, Sendable {
    package let process: Process
    package let path: String
    package let reason: String
  }

  package let claims: [Claim]
  package let presenters: [Presenter]
  package let polled: [Polled]

  /// How things stand now; with a path, only what concerns it, what is in it and what holds it.
  ///
  /// Blocks for as long as it takes to read a few files per process.
  /// - Throws: why the coordination directory cannot be used.
  package static func snapshot(for path: FilePath? = nil) throws(RuntimeDirectoryError)
    -> CoordinationStatus
  {
    let runtime = try RuntimeDirectory.shared()
    let reports = try ClaimReport.all(in: runtime, for: path)
    let presences = try PresenterLink.shared().everything()
    let now = MonotonicInstant.now
    return CoordinationStatus(
      claims: reports.map { Claim($0, now) },
      presenters: presences.compactMap { presence in
        let paths = presence.paths.filter { concerns($0, path) }
        guard !paths.isEmpty else { return nil }
        return Presenter(
          process: Process(presence.process), paths: paths.map(\.description).sorted())
      },
      polled: try PeerFolder.all(in: runtime).flatMap { process in
        PolledTrees.read(of: process, in: runtime)
          .filter { concerns(FilePath($0.path), path) }
          .map { Polled(process: Process(process), path: $0.path, reason: $0.reason) }
      })
  }

  private static func concerns(_ path: FilePath, _ wanted: FilePath?) -> Bool {
    guard let wanted else { return true }
    return path == wanted || path.isInside(wanted) || wanted.isInside(path)
  }
}

extension CoordinationStatus.Claim {
  init(_ report: ClaimReport, _ now: MonotonicInstant) {
    let claimant = report.claim.map { CoordinationStatus.Process($0.process) }
    items = report.items.map { Item(path: $0.path.description, access: Self.name($0.access)) }
    seconds = report.since.map { since in
      let (seconds, attoseconds) = (now - since).components
      return Double(seconds) + Double(attoseconds) / 1e18
    }
    isStopped = report.isStopped
    switch report.state {
    case .granted:
      (state, processes) = (.holds, [claimant].compactMap(\.self))
      (waitsFor, waitsAt) = ([], nil)
    case .waiting(let path, let holders):
      (state, processes) = (.waits, [claimant].compactMap(\.self))
      waitsFor = holders.map { CoordinationStatus.Process($0.process) }
      waitsAt = path.description
    case .asking(let asked):
      (state, processes) = (.asks, [claimant].compactMap(\.self))
      (waitsFor, waitsAt) = (asked.map(CoordinationStatus.Process.init), nil)
    case .inherited(let heirs):
      (state, processes) = (.inherited, heirs.map(CoordinationStatus.Process.init))
      (waitsFor, waitsAt) = ([], nil)
    }
  }

  private static func name(_ access: ClaimRequest.Access) -> String {
    switch access {
    case .read: "read"
    case .write, .movingWrite: "write"
    case .structuralWrite: "write-all"
    }
  }
}
