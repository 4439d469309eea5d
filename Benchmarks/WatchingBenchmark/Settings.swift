import BenchmarkHarness

/// What the command line asks for.
struct Settings: Sendable {
  let isJSON: Bool
  let html: String?
  let isCheck: Bool
  /// What the name of a measure begins with, to measure only those.
  let only: String?
  let directory: String?
  let rounds: Int
  let wantsHelp: Bool
  /// The command line, for reports.
  let command: String

  static let parser = OptionParser(
    program: "watching-benchmark",
    summary: "Measures how fast changes of files are noticed, beside other watchers.",
    options: [
      .init("check", nil, "end with status 1 if something is not reached"),
      .init("only", "PREFIX", "only measures whose names begin so"),
      .init("rounds", "N", "rounds of each measure that is taken in turn with a peer (5)"),
      .init("directory", "DIR", "where files lie (a new directory in /dev/shm)"),
      .init("json", nil, "one JSON object per line"),
      .init("html", "FILE", "write the results as a page"),
    ]
  )

  /// - Throws: ``UsageError``
  init(_ arguments: [String]) throws(UsageError) {
    let parsed = try Self.parser.parse(arguments)
    isJSON = parsed.has("json")
    html = parsed.string("html")
    isCheck = parsed.has("check")
    only = parsed.string("only")
    directory = parsed.string("directory")
    rounds = try parsed.integer("rounds", default: 5, in: 1...99)
    wantsHelp = parsed.has("help")
    command = (["swift run -c release watching-benchmark"] + arguments).joined(separator: " ")
  }
}
