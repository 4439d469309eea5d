import BenchmarkHarness
import Foundation
import LinuxSystem

/// One write in place by another process, 2 ms apart: when it is in a watcher's hand.
struct LatencyMeasurement: Measurement {
  let measures = ["latency.raw", "latency.presenter", "latency.fastest-callback"]
  private let writes = 150

  private struct Watcher {
    let name: String
    let isOurs: Bool
    let words: [String]
    /// Between writes, and how many of them.
    var gap: UInt64 = 2_000_000
    var writes: Int?
  }

  private static let watchers = [
    Watcher(name: "libinotifytools", isOurs: false, words: ["latency"]),
    Watcher(name: "FileWatcher", isOurs: true, words: ["raw"]),
    Watcher(name: "FileChanges", isOurs: true, words: ["sequence"]),
    Watcher(name: "NSFilePresenter", isOurs: true, words: ["presenter"]),
    Watcher(name: "gio", isOurs: false, words: ["latency"]),
    Watcher(name: "qt", isOurs: false, words: ["latency"]),
    Watcher(
      name: "libfswatch",
      isOurs: false,
      words: ["latency"],
      gap: 300_000_000,
      writes: 4
    ),
  ]

  func measure(in session: Session, _ note: (String) -> Void) throws -> Results {
    var medians: [String: [Double]] = [:]
    var tails: [String: [Double]] = [:]
    var hops: [Double] = []
    for round in 0..<session.rounds {
      let order = round % 2 == 0 ? Self.watchers : Self.watchers.reversed()
      for watcher in order where watcher.isOurs || session.peers.has(watcher.name) {
        let times = try times(of: watcher, session)
        medians[watcher.name, default: []].append(Statistics.median(times))
        tails[watcher.name, default: []].append(times.sorted()[times.count * 99 / 100])
      }
      hops.append(try session.helper("hop", "200").numbers(within: .seconds(20))[0])
    }
    func median(_ name: String) -> Double { Statistics.median(medians[name] ?? []) }
    let hop = Statistics.median(hops)
    let library = median("libinotifytools")
    note(
      "latency: FileWatcher \(Figure.time(median("FileWatcher"))), libinotifytools "
        + "\(Figure.time(library)), OperationQueue hop \(Figure.time(hop))"
    )
    let raws = zip(medians["FileWatcher"] ?? [], medians["libinotifytools"] ?? []).map { $0 / $1 }
    let callbacks = ["gio", "qt", "libfswatch"].map(median).filter(\.isFinite)
    return Results(
      bars: [
        Bar(
          measure: measures[0],
          value: Statistics.median(raws),
          unit: "x libinotifytools next_event",
          limit: .atMost(1.5)
        ),
        Bar(
          measure: measures[1],
          value: median("NSFilePresenter") / (1.5 * library + 1.5 * hop),
          unit: "x (1.5 next_event + 1.5 hop)",
          limit: .atMost(1)
        ),
        Bar(
          measure: measures[2],
          value: median("NSFilePresenter") / (callbacks.min() ?? .nan),
          unit: "x the fastest library that calls back",
          limit: .atMost(1)
        ),
      ],
      rows: Self.watchers.filter { medians[$0.name] != nil }.map {
        Row(
          what: "write in place",
          watcher: $0.name,
          median: median($0.name),
          p99: Statistics.median(tails[$0.name] ?? [])
        )
      } + [Row(what: "one hop", watcher: "OperationQueue", median: hop, p99: nil)]
    )
  }

  private func times(of watcher: Watcher, _ session: Session) throws -> [Double] {
    let path = FilePath(try session.freshDirectory() + "/f")
    _ = try Descriptor.open(path, [.writeOnly, .create])
    let words = watcher.words + [path.description]
    let process =
      watcher.isOurs
      ? try session.helper(words[0], words[1])
      : try session.peer(watcher.name, words[0], words[1])
    try process.waitUntilReady()
    // Some watchers are ready a little after they say so.
    Floors.sleep(nanoseconds: 300_000_000)
    var times: [Double] = []
    for _ in 0..<(watcher.writes ?? writes) {
      try process.drain()
      let file = try Descriptor.open(path, .writeOnly)
      try file.write([UInt8(ascii: "x")])
      let begin = MonotonicInstant.now.nanoseconds
      _ = consume file
      let end = try process.numbers(within: .seconds(5))[0]
      times.append(max(0, end - Double(begin)))
      Floors.sleep(nanoseconds: watcher.gap)
    }
    return times
  }
}
