import FileWatching
import LinuxSystem
import TestSupport
import Testing

extension WatchingTests {
  /// Anything at all, many times: afterwards the reports must give what is there.
  @Suite struct AtRandom {
    private static func number(_ name: String) -> UInt64? {
      Environment.value(of: name).flatMap { UInt64($0.description) }
    }
    private static let rounds = number("WATCHING_ROUNDS")

    /// `WATCHING_ROUNDS` makes it longer, `WATCHING_SEED` repeats a run's decisions.
    @Test(arguments: Engine.allCases, [false, true])
    func `after random changes the reports give the true state`(
      _ engine: Engine,
      losesRecords: Bool
    ) async throws {
      let seed = Self.number("WATCHING_SEED") ?? UInt64.random(in: 0..<1_000_000)
      var random = Seeded(seed)
      for round in 0..<(Self.rounds ?? (losesRecords ? 1 : 2)) {
        let w = try Watcher(engine, inMemory: true) {
          Directory("t") {
            Directory("a") { Directory("b") { File("f") } }
            Directory("c") { File("g") }
          }
          Directory("out") { Directory("d") { File("h") } }
        }
        w.watch("t", .tree)
        var known = Set(try Listing.of(w.path("t")).keys)
        for burst in 0..<6 {
          var steps: [String] = []
          let before = known
          if losesRecords { w.monitor.limitQueue(to: Int.random(in: 1...8, using: &random)) }
          for _ in 0..<Int.random(in: 5...60, using: &random) {
            steps.append(Self.step(in: w.path, &random))
          }
          let events = await w.events()
          w.monitor.limitQueue(to: nil)
          let tree = w.path("t")
          // The root itself may have been moved away or replaced.
          known = Listing.paths(known, after: events, in: tree)
          let there = Set((try? Listing.of(tree))?.keys.map(\.self) ?? [])
          if known == there { continue }
          let story: Comment = """
            seed \(seed) round \(round) burst \(burst)
            before \(before.sorted())
            \(steps.joined(separator: "\n"))
            reported \(events.map { "\($0)" }.joined(separator: "\n"))
            missing \(there.subtracting(known).sorted()) wrong \(known.subtracting(there).sorted())
            """
          Issue.record(story)
          return
        }
        // A quiet tree still hears everything: nothing was lost on the way.
        for path in try Listing.of(w.path("t")).keys
        where (try? FileStatus(of: path))?.kind == .regular {
          try Descriptor.open(path, [.writeOnly, .append]).write([1])
          #expect(await w.events().contains(.subitemChanged(path)), "seed \(seed) \(path)")
        }
      }
    }

    /// One change to the tree or beside it; one that cannot be made is none.
    private static func step(in root: FilePath, _ random: inout Seeded) -> String {
      let places = ((try? Listing.of(root))?.keys.sorted() ?? [])
        .filter { $0 != root.appending("t") && $0 != root.appending("out") }
      let directories =
        [root.appending("t"), root.appending("out")]
        + places.filter { (try? FileStatus(of: $0))?.kind == .directory }
      guard let directory = directories.randomElement(using: &random) else { return "" }
      let fresh = directory.appending("n\(Int.random(in: 0..<6, using: &random))")
      let place = places.randomElement(using: &random) ?? fresh
      let other = places.randomElement(using: &random) ?? fresh
      do {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
          try Descriptor.open(fresh, [.writeOnly, .create]).write([1])
          return "write \(fresh)"
        case 2:
          try FileSystem.makeDirectory(fresh)
          return "mkdir \(fresh)"
        case 3:
          try FileSystem.makeDirectory(fresh)
          try FileSystem.makeDirectory(fresh.appending("x"))
          _ = try Descriptor.open(fresh.appending("x/y"), [.writeOnly, .create])
          return "mkdir -p \(fresh)/x; touch \(fresh)/x/y"
        case 4, 5:
          try FileSystem.rename(place, to: fresh)
          return "mv \(place) \(fresh)"
        case 6:
          try FileSystem.rename(place, to: other, .exchange)
          return "exchange \(place) \(other)"
        case 7:
          try FileSystem.removeTree(place)
          return "rm -r \(place)"
        default:
          guard try FileStatus(of: place).kind == .regular else { return "" }
          try Descriptor.open(place, [.writeOnly, .append]).write([1])
          return "append \(place)"
        }
      } catch {
        return "failed: \(error)"
      }
    }
  }
}

/// Numbers that a seed gives again.
private struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }
  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 33)
  }
}
