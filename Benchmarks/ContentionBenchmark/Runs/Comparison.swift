import BenchmarkHarness
import Foundation

/// Measures every lock that is installed in every workload and shows them side by side.
struct Comparison {
  private let settings: Settings
  private let session: Session
  private let kitchen: Kitchen

  /// How long readers and the writer hold the lock in the workload 'starvation', in nanoseconds.
  static let starvationHold: UInt64 = 200_000

  init(_ settings: Settings) throws {
    self.settings = settings
    session = try Session(settings)
    kitchen = try Kitchen(settings.backends, in: session.work)
  }

  /// Prints, and where asked writes the report.
  ///
  /// Returns 1 if ours did not exclude or failed, else 0.
  func run() throws -> Int32 {
    if kitchen.ready.contains(where: { $0.name == Backend.ours }) {
      try session.present(settings.presenter)
    }
    var rows: [Row] = []
    for workload in settings.workloads {
      for backend in kitchen.ready {
        Terminal.progress("\(workload.rawValue): \(backend.name)")
        rows.append(measure(workload, backend))
      }
    }
    Terminal.progress("")
    let findings = Findings(
      machine: Machine.current,
      settings: settings,
      fileSystem: session.work.fileSystem,
      depth: session.work.itemDirectory.split(separator: "/").count + 1,
      backends: kitchen.ready,
      rows: rows,
      missing: kitchen.missing
    )
    Terminal.say(settings.isJSON ? try findings.json : findings.text)
    if let html = settings.html {
      try HTMLReport(findings).write(to: html)
      Terminal.complain("wrote \(html)")
    }
    let ours = rows.filter { $0.backend == Backend.ours }
    return ours.allSatisfy { $0.excludes != false && $0.failure == nil } ? 0 : 1
  }

  private func measure(_ workload: Workload, _ backend: Backend) -> Row {
    var row = Row(workload, backend.name)
    let team = Team(session: session, backend: backend)
    do {
      switch workload {
      case .uncontended:
        row.pairNanoseconds = try team.uncontended(pairs: backend.pairs)
      case .exclusive:
        row.take(try contend(team, reads: 0))
      case .mixed:
        row.take(try contend(team, reads: settings.reads))
      case .starvation:
        let readers = max(settings.processes - 1, 1)
        let outcome = try team.contend(
          reads: [Int](repeating: 100, count: readers) + [0],
          hold: Self.starvationHold,
          seconds: settings.seconds
        )
        row.take(outcome)
        row.starves = outcome.starving(readers: readers, hold: Self.starvationHold) ?? "none"
      case .handOff:
        let waits = try team.handOff(rounds: 60, gap: 1_500_000, seconds: 3)
        row.writeWait = Row.Wait(waits)
      }
    } catch {
      row.failure = "\(error)"
    }
    return row
  }

  private func contend(_ team: Team, reads: Int) throws -> Outcome {
    try team.contend(
      reads: [Int](repeating: reads, count: settings.processes),
      threads: settings.threads,
      files: settings.files,
      hold: settings.hold,
      seconds: settings.seconds
    )
  }
}
