import PeerScript
import Testing

/// The checker itself, on traces made by hand.
struct TortureCheckerTests {
  private func verdict(
    _ lines: [(UInt64, String, TortureRecord.Kind, [String])],
    fates: [String: TortureFate] = [:]
  ) -> TortureVerdict {
    let records = lines.map { time, call, kind, words in
      TortureRecord(
        time: time,
        member: String(call.split(separator: "/").first ?? "-"),
        call: call,
        kind: kind,
        words: words
      )
    }
    return TortureChecker(records: records, fates: fates, witness: "W").verdict()
  }

  private func access(
    _ call: String,
    _ mode: String,
    _ path: String,
    _ begin: UInt64,
    _ end: UInt64
  ) -> [(UInt64, String, TortureRecord.Kind, [String])] {
    [
      (begin, call, .call, [call]), (begin, call, .began, [mode, path]),
      (begin, call, .made, [call]), (end, call, .ended, []),
      (end, call, .returned, ["ok"]),
    ]
  }

  @Test func `a good trace has no faults`() {
    let verdict = verdict(access("A/0/1", "W", "/f", 1, 5) + access("B/0/1", "W", "/f", 6, 9))
    #expect(verdict.faults.isEmpty)
    #expect(verdict.accessors == 2)
  }

  @Test(arguments: [
    ("W", "/f", "W", "/f", true), ("R", "/f", "W", "/f", true), ("R", "/f", "R", "/f", false),
    ("X", "/d", "R", "/d/f", true), ("W", "/d", "W", "/d/f", false), ("W", "/f", "W", "/g", false),
    ("R", "/d/f", "X", "/d", true), ("X", "/d", "W", "/dd", false),
  ])
  func `overlaps are judged by the matrix`(
    _ a: String,
    _ p: String,
    _ b: String,
    _ q: String,
    _ isFault: Bool
  ) {
    let verdict = verdict(access("A/0/1", a, p, 1, 5) + access("B/0/1", b, q, 4, 9))
    #expect(verdict.faults.map(\.kind) == (isFault ? [.overlap] : []))
  }

  @Test func `what the dead held is free once they were killed`() {
    let dead: [(UInt64, String, TortureRecord.Kind, [String])] = [
      (1, "A/0/1", .call, ["A"]), (1, "A/0/1", .began, ["W", "/f"]),
    ]
    let fates = ["A": TortureFate(killed: 5)]
    #expect(verdict(dead + access("B/0/1", "W", "/f", 6, 9), fates: fates).faults.isEmpty)
    #expect(
      verdict(dead + access("B/0/1", "W", "/f", 4, 9), fates: fates).faults.map(\.kind)
        == [.overlap]
    )
  }

  @Test func `a lost update is found`() {
    let lines: [(UInt64, String, TortureRecord.Kind, [String])] = [
      (1, "A/0/1", .saw, ["i", "3"]), (2, "A/0/1", .will, ["i", "4"]),
      (3, "A/0/1", .did, ["i", "4"]),
      (4, "B/0/1", .saw, ["i", "3"]),
    ]
    #expect(verdict(lines).faults.map(\.kind).contains(.lostUpdate))
  }

  @Test func `an update that its member did not survive may be there or not`() {
    for value in ["3", "4"] {
      let lines: [(UInt64, String, TortureRecord.Kind, [String])] = [
        (1, "A/0/1", .saw, ["i", "3"]), (2, "A/0/1", .will, ["i", "4"]),
        (4, "B/0/1", .saw, ["i", value]), (5, "B/0/1", .returned, ["ok"]),
      ]
      #expect(verdict(lines, fates: ["A": TortureFate(killed: 3)]).faults.isEmpty)
    }
  }

  @Test func `a call that never ends, and a claim that is never released, are found`() {
    let call = verdict([(1, "A/0/1", .call, ["A"])])
    let claim = verdict([(1, "A", .trace, ["granted", "A.7", "/f"])])
    #expect(call.faults.map(\.kind) == [.callWithoutEnd])
    #expect(claim.faults.map(\.kind).contains(.claimWithoutEnd))
  }

  @Test(arguments: [
    (400_000, "exclusive", "shared", true), (400_000, "shared", "shared", false),
    (400_000, "shared", "exclusive", true), (50_000, "exclusive", "exclusive", false),
    (900_000, "exclusive", "exclusive", false),
  ])
  func `who slips in past somebody in line is found`(
    _ time: UInt64,
    _ waiting: String,
    _ taking: String,
    _ isFault: Bool
  ) {
    let lines: [(UInt64, String, TortureRecord.Kind, [String])] = [
      (100_000, "A", .trace, ["inLine", "claim 1 of A", "/f", "item \(waiting)"]),
      (time, "B", .trace, ["slippedIn", "claim 1 of B", "/f", "item \(taking)"]),
      (time, "B", .trace, ["slippedIn", "claim 1 of B", "/f", "tree \(taking)"]),
      (800_000, "A", .trace, ["outOfLine", "claim 1 of A", "/f", "item \(waiting)"]),
    ]
    let kinds = verdict(lines).faults.map(\.kind).filter { $0 == .overtaken }
    #expect(kinds == (isFault ? [.overtaken] : []))
  }

  @Test func `a notice that did not come is found`() {
    let present: [(UInt64, String, TortureRecord.Kind, [String])] = [(0, "W", .presenting, [])]
    let heard: [(UInt64, String, TortureRecord.Kind, [String])] = [
      (9, "W", .notice, ["changed", "/f"])
    ]
    let write = access("A/0/1", "W", "/f", 1, 5)
    let second = access("A/0/2", "W", "/f", 6, 7)
    let missing = { (verdict: TortureVerdict) in
      verdict.faults.filter { $0.kind == .missingNotice }.count
    }
    #expect(missing(verdict(present + write + heard)) == 0)
    #expect(missing(verdict(present + write + second + heard)) == 1)
  }

  @Test func `a failure that nobody expects is found`() {
    let lines: [(UInt64, String, TortureRecord.Kind, [String])] = [
      (1, "A/0/1", .call, ["A"]), (2, "A/0/1", .returned, ["failed", "presenterSilent", "P"]),
    ]
    #expect(verdict(lines).faults.map(\.kind) == [.unexpectedFailure])
  }
}
