import BenchmarkHarness
import Foundation
import LinuxSystem

/// A tree of 100,000 files in 5,000 directories is presented: how soon it is watched, what that takes,
/// and what it costs when nothing happens.
struct TreeMeasurement: Measurement {
  let measures = ["tree.start", "tree.memory", "tree.idle"]

  func measure(in session: Session, _ note: (String) -> Void) throws -> Results {
    let root = try Self.makeTree(session)
    var ours: [Double] = []
    var floors: [Double] = []
    var memory: [Double] = []
    for round in 0..<session.rounds {
      if round % 2 == 0 { floors.append(try floor(root, session)) }
      let process = try start(root, session, &ours, &memory)
      withExtendedLifetime(process) {}
      if round % 2 == 1 { floors.append(try floor(root, session)) }
    }
    let ratio = Statistics.median(zip(ours, floors).map { $0 / $1 })
    note(
      "tree: watched after \(Figure.time(Statistics.median(ours))), floor "
        + "\(Figure.time(Statistics.median(floors)))"
    )
    var times: [Double] = []
    var sizes: [Double] = []
    let process = try start(root, session, &times, &sizes)
    // Whoever has used Dispatch once has a thread of it that looks around every second, for ever.
    let empty = try session.helper("idle", root)
    try empty.waitUntilReady()
    // Threads that libdispatch keeps for a few seconds after work end by themselves.
    Floors.sleep(nanoseconds: 15_000_000_000)
    let before = try (ThreadSwitches(of: process.pid), ThreadSwitches(of: empty.pid))
    Floors.sleep(nanoseconds: 10_000_000_000)
    let (all, whose) = try ThreadSwitches(of: process.pid).since(before.0)
    let (dispatch, _) = try ThreadSwitches(of: empty.pid).since(before.1)
    withExtendedLifetime(empty) {}
    note("tree: switches while idle: \(whose); an empty process that used Dispatch: \(dispatch)")
    return Results(
      bars: [
        Bar(measure: measures[0], value: ratio, unit: "x tree floor", limit: .atMost(1.5)),
        Bar(
          measure: measures[1],
          value: Statistics.median(memory),
          unit: "MiB over an empty process",
          limit: .atMost(30)
        ),
        Bar(
          measure: measures[2],
          value: Double(max(0, all - dispatch)),
          unit: "context switches in 10 s that are ours",
          limit: .atMost(0)
        ),
      ],
      rows: [
        Row(
          what: "tree of 100,000 watched",
          watcher: "NSFilePresenter",
          median: Statistics.median(ours),
          p99: nil
        ),
        Row(
          what: "tree of 100,000 watched",
          watcher: "getdents and inotify_add_watch",
          median: Statistics.median(floors),
          p99: nil
        ),
      ]
    )
  }

  private func start(
    _ root: String,
    _ session: Session,
    _ times: inout [Double],
    _ memory: inout [Double]
  ) throws -> WatcherProcess {
    let process = try session.helper("tree", root, try session.freshDirectory())
    try process.waitUntilReady()
    let empty = Self.resident(process.pid)
    try process.say("go")
    times.append(try process.numbers(within: .seconds(30))[0])
    // At once, in twenty directories far apart: all must be told.
    var expected = Set<String>()
    for number in 0..<20 {
      let path = "\(root)/d\(number * 2)/e\(number * 5)/f\(number % 20)"
      try Descriptor.open(FilePath(path), [.writeOnly, .append]).write([UInt8(ascii: "x")])
      expected.insert(path)
    }
    while !expected.isEmpty {
      let line = try process.line(within: .seconds(10))
      expected.remove(String(line.split(separator: " ", maxSplits: 1).last ?? ""))
    }
    // Until the rest was looked at in the background: then nothing grows any more.
    var size = Self.resident(process.pid)
    for _ in 0..<100 {
      Floors.sleep(nanoseconds: 100_000_000)
      let now = Self.resident(process.pid)
      if now == size, Self.ticks(process.pid) == Self.ticks(process.pid, after: 100_000_000) {
        break
      }
      size = now
    }
    memory.append(Double(size - empty) / 1_048_576)
    return process
  }

  private func floor(_ root: String, _ session: Session) throws -> Double {
    let (program, _) = try session.peers.command("tree-floor")
    let output = try Program.run(program, [root]).output
    guard let time = Double(output.split(separator: " ").first ?? "") else {
      throw MeasurementError("the floor says \(output)")
    }
    return time
  }

  static func makeTree(_ session: Session) throws -> String {
    let root = try session.freshDirectory()
    for outer in 0..<50 {
      let directory = FilePath("\(root)/d\(outer)")
      try FileSystem.makeDirectory(directory)
      for inner in 0..<100 {
        let leaf = directory.appending("e\(inner)")
        try FileSystem.makeDirectory(leaf)
        for file in 0..<20 {
          _ = try Descriptor.open(leaf.appending("f\(file)"), [.writeOnly, .create])
        }
      }
    }
    return root
  }

  // MARK: /proc

  private static func text(_ path: String) -> String {
    // A process that has ended has no figures.
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  private static func resident(_ pid: Int32) -> Int {
    let pages = text("/proc/\(pid)/statm").split(separator: " ").dropFirst().first
    return (Int(pages ?? "") ?? 0) * 4096
  }

  private static func ticks(_ pid: Int32, after pause: UInt64 = 0) -> Int {
    if pause > 0 { Floors.sleep(nanoseconds: pause) }
    let fields = text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
  }
}
