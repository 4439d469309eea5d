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
    let messages = try acknowledgedMessages(of: presenter) { _ = try time("write", inside) }
    withExtendedLifetime(presenter) {}
    return Results(
      bars: [
        Bar(measure: measures[0], value: reads.ratio, unit: "x outside", limit: .atMost(1.1)),
        Bar(
          measure: measures[1],
          value: messages,
          unit: "acknowledged messages more than outside",
          limit: .atMost(1)
        ),
      ],
      rows: [
        row("read inside", reads.ours), row("read outside", reads.floor),
        row("write inside", writes.ours), row("write outside", writes.floor),
        row("one message and its answer", [try roundTrip(session)], by: "a socket"),
      ]
    )
  }

  private func row(_ what: String, _ times: [Double], by whom: String = "NSFileCoordinator") -> Row
  {
    Row(what: what, watcher: whom, median: Statistics.median(times), p99: nil)
  }

  /// How many messages of each claim the presenter's process answered.
  private func acknowledgedMessages(
    of presenter: WatcherProcess,
    _ claims: () throws -> Void
  ) throws -> Double {
    func count() throws -> Double {
      try presenter.say("count")
      while true {
        // Changes that it tells of have a path behind the time.
        let line = try presenter.line(within: .seconds(10))
        if let count = Double(line) { return count }
      }
    }
    let before = try count()
    try claims()
    // Some are made to warm up.
    return try (count() - before) / Double(pairs + pairs / 10 + 1)
  }

  /// What a message to another process and its answer cost at least.
  private func roundTrip(_ session: Session) throws -> Double {
    let path = "\(session.work.path)/echo"
    let process = try session.helper("echo", path)
    try process.waitUntilReady()
    let echo = try Floors.Echo(path)
    var times: [Double] = []
    for _ in 0..<500 { times.append(Double(try echo.roundTrip())) }
    return Statistics.median(times)
  }
}
