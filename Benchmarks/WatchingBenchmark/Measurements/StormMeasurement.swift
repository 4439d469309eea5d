import BenchmarkHarness
import Foundation
import LinuxSystem

/// 200,000 changes while the watcher is stopped, so that the queue overflows: how long it takes from
/// the moment it goes on until its listing is the disk's.
struct StormMeasurement: Measurement {
  let measures = ["storm.right", "storm.time"]
  /// In seconds.
  private static let limit = 60

  func measure(in session: Session, _ note: (String) -> Void) throws -> Results {
    var ours: [Double] = []
    var watchman: [Double] = []
    let rounds = min(session.rounds, 3)
    for _ in 0..<rounds {
      ours.append(try measureOurs(session))
      if session.peers.has("watchman") { watchman.append(try measureWatchman(session)) }
    }
    note(
      "storm: right after \(Figure.time(Statistics.median(ours))), watchman "
        + "\(Figure.time(Statistics.median(watchman)))"
    )
    return Results(
      bars: [
        Bar(
          measure: measures[0],
          value: Double(ours.count) / Double(rounds),
          unit: "of all rounds end right",
          limit: .atLeast(1)
        ),
        watchman.isEmpty
          ? .notMeasured(measures[1])
          : Bar(
            measure: measures[1],
            value: Statistics.median(ours) / Statistics.median(watchman),
            unit: "x watchman",
            limit: .atMost(1)
          ),
      ],
      rows: [
        Row(
          what: "storm of 200,000",
          watcher: "NSFilePresenter",
          median: Statistics.median(ours),
          p99: nil
        )
      ]
        + (watchman.isEmpty
          ? []
          : [
            Row(
              what: "storm of 200,000",
              watcher: "watchman",
              median: Statistics.median(watchman),
              p99: nil
            )
          ])
    )
  }

  private func measureOurs(_ session: Session) throws -> Double {
    let storm = try Storm(session.freshDirectory())
    let process = try session.helper("storm", storm.root.description)
    try process.waitUntilReady()
    return try time(storm, process, stopping: process.pid)
  }

  private func measureWatchman(_ session: Session) throws -> Double {
    let storm = try Storm(session.freshDirectory())
    let state = try session.work.makeDirectory("watchman")
    let server = try ChildProcess(
      FilePath(Program.find("watchman") ?? "watchman"),
      [
        "--foreground", "--sockname=\(state)/sock", "--statefile=\(state)/state",
        "--logfile=\(state)/log", "--pidfile=\(state)/pid",
      ]
    )
    defer { server.send(.kill) }
    let limit = MonotonicInstant.now + .seconds(10)
    while !FileManager.default.fileExists(atPath: "\(state)/sock") {
      guard MonotonicInstant.now < limit else { throw MeasurementError("watchman does not start") }
      Floors.sleep(nanoseconds: 10_000_000)
    }
    let process = try session.peer("watchman", "\(state)/sock", storm.root.description)
    try process.waitUntilReady()
    Floors.sleep(nanoseconds: 1_000_000_000)
    defer { _ = try? FileManager.default.removeItem(atPath: state) }  // in our own directory anyway
    do { return try time(storm, process, stopping: server.pid) } catch is MeasurementError {
      // It never had the disk's listing: no better than the limit.
      return Double(Self.limit) * 1e9
    }
  }

  private func time(_ storm: Storm, _ process: WatcherProcess, stopping pid: Int32) throws -> Double
  {
    Signal.stop.send(to: pid)
    defer { Signal.continue.send(to: pid) }
    try storm.rage()
    let begin = MonotonicInstant.now.nanoseconds
    Signal.continue.send(to: pid)
    try process.say("\(try storm.count())")
    let end = try process.numbers(within: .seconds(Self.limit))[0]
    try FileManager.default.removeItem(atPath: storm.root.description)
    return end - Double(begin)
  }
}

/// A directory with a thousand files, and two hundred thousand changes to make in it.
private struct Storm {
  let root: FilePath
  private let directories: [FilePath]

  init(_ path: String) throws {
    root = FilePath(path)
    directories = (0..<50).map { [root] in root.appending("d\($0)") }
    for directory in directories {
      try FileSystem.makeDirectory(directory)
      for number in 0..<20 { try Self.touch(directory.appending("old\(number)")) }
    }
  }

  /// 70,000 files made, all written, 40,000 of them renamed, 20,000 deleted.
  func rage() throws {
    for number in 0..<70_000 {
      let directory = directories[number % 50]
      try Self.touch(directory.appending("f\(number)"))
    }
    for number in 0..<70_000 { try Self.append(directories[number % 50].appending("f\(number)")) }
    for number in 0..<40_000 {
      try FileSystem.rename(
        directories[number % 50].appending("f\(number)"),
        to: directories[(number + 7) % 50].appending("g\(number)")
      )
    }
    for number in 40_000..<60_000 {
      try FileSystem.removeFile(directories[number % 50].appending("f\(number)"))
    }
  }

  /// How many names there are.
  func count() throws -> Int { Listing.of(root.description).count }

  private static func touch(_ path: FilePath) throws {
    _ = try Descriptor.open(path, [.writeOnly, .create])
  }

  private static func append(_ path: FilePath) throws {
    try Descriptor.open(path, [.writeOnly, .append]).write([UInt8(ascii: "x")])
  }
}
