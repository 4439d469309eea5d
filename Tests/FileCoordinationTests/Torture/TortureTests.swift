import Foundation
import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Four processes at random on one tree; the seed is printed and can be given again.
///
/// `TORTURE_SECONDS` makes it longer, `TORTURE_SEED` repeats a run's decisions.
@Suite(.serialized, .inTurn, .tags(.multiProcess, .slow, .crash))
struct TortureTests {
  private static let seconds = variable("TORTURE_SECONDS").flatMap(Double.init) ?? 10
  private static let seed = variable("TORTURE_SEED").flatMap(UInt64.init)

  private static func variable(_ name: String) -> String? {
    Environment.value(of: name)?.description
  }

  @Test(.timeLimit(.minutes(Int(Self.seconds / 60) + 3)))
  func `torture: nothing overlaps, no update is lost, every call ends, nothing is left`()
    async throws
  {
    let seed = Self.seed ?? UInt64.random(in: 1...999_999)
    print("torture: TORTURE_SEED=\(seed) TORTURE_SECONDS=\(Self.seconds)")
    try await judge(seed)
  }

  private func judge(_ seed: UInt64) async throws {
    let run = try TortureRun(seed: seed, seconds: Self.seconds)

    let verdict = try await run.verdict()
    let growth = try await run.growth()
    let leftovers = try await run.leftovers()

    let place = verdict.faults.isEmpty ? "" : try run.keepTraces()
    print("torture: \(verdict) \(place)")
    #expect(verdict.faults.isEmpty, "seed \(seed), traces in \(place)")
    // Of a machine that does much else: what counts is that it was not idle.
    #expect(verdict.accessors > 30)
    #expect(verdict.updates > 20)
    #expect(growth.allSatisfy { $0 <= 2 }, "seed \(seed): \(growth)")
    #expect(leftovers.isEmpty, "seed \(seed): \(leftovers)")
  }

  #if CLAIM_MUTATIONS
  /// Ruling 28: a checker that lets these pass proves nothing.
  @Test(
    .timeLimit(.minutes(7)),
    arguments: [
      ("skip-second-look", [.overtaken]), ("skip-node", [.overlap]),
      // Who waits at a removed file is alone with it, or waits for ever.
      ("unlink-lock-file", [.overlap, .callWithoutEnd]), ("drop-notice", [.missingNotice]),
      ("skip-verify", [.overlap, .lostUpdate]),
    ] as [(String, Set<TortureVerdict.Fault.Kind>)]
  )
  func `the checker catches a seeded fault`(
    _ mutation: String,
    _ kinds: Set<TortureVerdict.Fault.Kind>
  ) async throws {
    var seen: [TortureVerdict] = []
    var isCaught = false
    for seed in UInt64(1)...32 where !isCaught {
      let verdict: TortureVerdict
      do {
        verdict = try await mutated(mutation, seed, patience: .seconds(8))
      } catch let error as NotInTime {
        verdict = TortureVerdict(.callWithoutEnd, [error.description])
      }
      seen.append(verdict)
      isCaught = verdict.faults.contains { kinds.contains($0.kind) }
    }

    print("torture: \(mutation), run \(seen.count): \(seen.last?.description ?? "")")
    #expect(isCaught, "nothing was found with \(mutation): \(seen)")
  }

  /// The same build without a fault, with the pauses that only make faults likelier.
  @Test(.timeLimit(.minutes(2))) func `seeded builds without a fault pass`() async throws {
    let verdict = try await mutated("none", 1, patience: .seconds(40))

    print("torture: none: \(verdict)")
    #expect(verdict.faults.isEmpty)
    #expect(verdict.accessors > 50)
  }

  private func mutated(
    _ mutation: String,
    _ seed: UInt64,
    patience: Duration
  ) async throws -> TortureVerdict {
    let links = mutation == "skip-verify" ? 70 : 15
    let environment = ["FILE_COORDINATION_MUTATION=\(mutation)", "TORTURE_LINK_SHARE=\(links)"]
    let run = try TortureRun(seed: seed, seconds: 4, environment: environment)
    return try await run.verdict(patience: patience)
  }
  #endif
}
