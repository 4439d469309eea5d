import BenchmarkHarness
import Foundation

/// An access to a file inside the large tree that another process presents, beside one outside.
struct ClaimMeasurement: Measurement {
  let measures = ["claim.read", "claim.write"]
  private let pairs = 400

  func measure(in session: Session, _ note: (String) -> Void) throws -> Results {
    let root = try TreeMeasurement.makeTree(session)
    let presenter = try session.helper("tree", root, try session.freshDirectory())
    try presenter.waitUntilReady()
    try presenter.say("go")
    _ = try presenter.numbers(within: .seconds(30))
    Floors.sleep(nanoseconds: 1_500_000_000)
    let inside = "\(root)/d1/e1/f1"
    let outside = try session.freshDirectory() + "/level/f1"
    try FileManager.default.createDirectory(
      atPath: URL(filePath: outside).deletingLastPathComponent().path,
      withIntermediateDirectories: true
    )
    _ = FileManager.default.createFile(atPath: outside, contents: nil)
    let worker = try session.helper("claims", inside)
    try worker.waitUntilReady()
    func time(_ kind: String, _ path: String) throws -> Double {
      try worker.say("\(kind) \(pairs) \(path)")
      return try worker.numbers(within: .seconds(60))[0]
    }
    let reads = try Pairs(
      rounds: 2 * session.rounds + 1,
      ours: { try time("read", inside) },
      floor: { try time("read", outside) }
    )
    let writes = try Pairs(
      rounds: 2 * session.rounds + 1,
      ours: { try time("write", inside) },
      floor: { try time("write", outside) }
    )
    let message = try acknowledgedMessage(session)
    let extra = Statistics.median(zip(writes.ours, writes.floor).map { $0 - $1 })
    note(
      "claims: read \(Figure.time(Statistics.median(reads.ours))) inside, "
        + "\(Figure.time(Statistics.median(reads.floor))) outside; write "
        + "\(Figure.time(Statistics.median(writes.ours))), "
        + "\(Figure.time(Statistics.median(writes.floor))); "
        + "a socket's round trip \(Figure.time(message))"
    )
    withExtendedLifetime(presenter) {}
    return Results(
      bars: [
        Bar(measure: measures[0], value: reads.ratio, unit: "x outside", limit: .atMost(1.1)),
        Bar(
          measure: measures[1],
          value: extra / message,
          unit: "round trips more than outside",
          limit: .atMost(1)
        ),
      ],
      rows: []
    )
  }

  /// What a message to another process and its answer cost.
  private func acknowledgedMessage(_ session: Session) throws -> Double {
    let path = "\(session.work.path)/echo"
    let process = try session.helper("echo", path)
    try process.waitUntilReady()
    let echo = try Floors.Echo(path)
    var times: [Double] = []
    for _ in 0..<500 { times.append(Double(try echo.roundTrip())) }
    return Statistics.median(times)
  }
}
