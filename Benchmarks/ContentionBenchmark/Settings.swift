import BenchmarkHarness

/// What the command line asks for.
struct Settings: Sendable {
  let processes: Int
  let threads: Int
  let files: Int
  /// Per cent.
  let reads: Int
  /// Nanoseconds.
  let hold: UInt64
  let seconds: Double
  let isJSON: Bool
  let html: String?
  /// Names as given; nil for all.
  let backends: [String]?
  let workloads: [Workload]
  let directory: String?
  let presenter: TreePresenter
  let isCheck: Bool
  /// What the name of a measure begins with, to check only those.
  let only: String?
  let wantsHelp: Bool
  /// The command line, for reports.
  let command: String

  /// Where the one tree presenter of the runs over our coordinator presents.
  enum TreePresenter: String, CaseIterable, Sendable {
    case none, beside, above
  }

  static let parser = OptionParser(
    program: "contention-benchmark",
    summary: "Measures how processes share files under coordination and under other locks.",
    options: [
      .init("processes", "N", "how many processes contend (4)"),
      .init("threads", "N", "threads in each (1)"),
      .init("files", "N", "files they pick from at random (1)"),
      .init("reads", "PERCENT", "share of reads in the workload 'mixed' (95)"),
      .init("hold", "MICROSECONDS", "how long the lock is held, asleep (20)"),
      .init("seconds", "S", "length of each run (1)"),
      .init("workloads", "LIST", "of \(Workload.names), separated by commas (all)"),
      .init("backends", "LIST", "names of locks, separated by commas (all that are installed)"),
      .init("presenter", "WHERE", "one tree presenter: none, beside or above the files (beside)"),
      .init("directory", "DIR", "where the files lie (a new directory in /dev/shm)"),
      .init("json", nil, "one JSON object per line"),
      .init("html", "FILE", "write a report with charts, drawn by gnuplot where it is installed"),
      .init("check", nil, "measure what must be reached; status 1 if something is not"),
      .init("only", "PREFIX", "with --check: only measures whose names begin so"),
    ]
  )

  /// - Throws: ``UsageError``
  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try Self.parser.parse(arguments)
    processes = try parsed.integer("processes", default: 4, in: 1...64)
    threads = try parsed.integer("threads", default: 1, in: 1...16)
    files = try parsed.integer("files", default: 1, in: 1...Board.fileLimit)
    reads = try parsed.integer("reads", default: 95, in: 0...100)
    let microseconds = try parsed.number("hold", default: 20, in: 0...1_000_000)
    hold = UInt64(microseconds * 1_000)
    seconds = try parsed.number("seconds", default: 1, in: 0.05...600)
    isJSON = parsed.has("json")
    html = parsed.string("html")
    directory = parsed.string("directory")
    isCheck = parsed.has("check")
    only = parsed.string("only")
    wantsHelp = parsed.has("help")
    backends = parsed.string("backends").map(Self.list)
    workloads = try Self.choices(parsed.string("workloads"), "workloads")
    let place: [TreePresenter] = try Self.choices(parsed.string("presenter"), "presenter")
    presenter = parsed.has("presenter") ? place.first ?? .beside : .beside
    command = (["swift run -c release contention-benchmark"] + arguments).joined(separator: " ")
    let known = Backend.recipes.map(\.name)
    for name in backends ?? [] where !known.contains(name) {
      throw UsageError(
        "contention-benchmark: no backend '\(name)'; there are \(known.joined(separator: ", "))"
      )
    }
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map(String.init)
  }

  private static func choices<C: CaseIterable & RawRepresentable>(
    _ text: String?,
    _ option: String
  ) throws(UsageError) -> [C] where C.RawValue == String {
    guard let text else { return Array(C.allCases) }
    var found: [C] = []
    for name in list(text) {
      guard let choice = C(rawValue: name) else {
        let all = C.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("contention-benchmark: --\(option) knows \(all), not '\(name)'")
      }
      found.append(choice)
    }
    return found
  }
}
