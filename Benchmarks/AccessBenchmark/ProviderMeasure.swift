import BenchmarkHarness
import FileCoordination
import Foundation

/// What a provider costs who reads in its folder, and whether it delivers each item once.
enum ProviderMeasure {
  private static let rounds = 200
  private static let perRound = 50
  private static let items = 1_000
  private static let readers = 4

  static func run(_ rig: ProviderRig, _ work: WorkDirectory) throws -> [Measure] {
    defer { rig.end() }
    return [try reading(rig, work), try delivering(rig)]
  }

  /// A coordinated read of a file that the provider has delivered, against one outside.
  private static func reading(_ rig: ProviderRig, _ work: WorkDirectory) throws -> Measure {
    let inside = try rig.placeholders(["inside.txt"])[0]
    let outside = URL(fileURLWithPath: work.itemDirectory + "/outside.txt")
    try BenchmarkProvider.contents.write(to: outside)
    func time(_ url: URL) throws -> Double {
      let start = nanoseconds()
      for _ in 0..<perRound {
        var failure: NSError?
        NSFileCoordinator().coordinate(readingItemAt: url, options: [], error: &failure) { _ in }
        if let failure { throw failure }
      }
      return (nanoseconds() - start) / Double(perRound)
    }
    // From here on it is there.
    try PlaceholderReader.read(inside)
    _ = try (time(inside), time(outside))
    let pairs = try Pairs(rounds: rounds, ours: { try time(inside) }, floor: { try time(outside) })
    return Measure(
      name: "provider.read",
      value: pairs.ratio,
      bar: 1.5,
      unit: "x",
      detail: "outside: \(Figure.time(Statistics.median(pairs.floor))); \(rounds) pairs"
    )
  }

  /// Processes that read the same placeholders at once.
  private static func delivering(_ rig: ProviderRig) throws -> Measure {
    let names = (0..<items).map(PlaceholderReader.name)
    _ = try rig.placeholders(names)
    let programs = try (0..<readers).map { reader in
      try LineProgram(
        Program.own,
        [PlaceholderReader.verb, rig.storage, "\(items)", "\(reader * items / readers)"],
        [:]
      )
    }
    defer { for program in programs { program.kill() } }
    for program in programs { _ = try program.line() }
    let start = nanoseconds()
    for program in programs { try program.say("") }
    for program in programs {
      let end = try program.line()
      if end != "done" { throw MeasurementError("a reader of placeholders failed: \(end)") }
    }
    let time = nanoseconds() - start
    let deliveries = try rig.deliveries()
    return Measure(
      name: "provider.not-once",
      value: Double(names.filter { deliveries[$0] != 1 }.count),
      bar: 0,
      unit: "items",
      detail: "\(items) placeholders, \(readers) processes, each reads all: \(Figure.time(time))"
    )
  }
}
