import BenchmarkHarness
import BenchmarkWorkers

/// The command: counts system calls per operation and compares them with what is recorded.
enum SystemCallCounts {
  /// The first argument of a helper process, which does what it is told line by line.
  static let servantVerb = "__serve"

  private static let parser = OptionParser(
    program: "system-call-counts",
    summary: "Counts system calls per operation with strace and compares them with the baselines.",
    options: [
      .init("baselines", "DIR", "where they are recorded (Benchmarks/Baselines)"),
      .init("only", "OPERATION", "count only this one"),
      .init("rounds", "N", "operations per run (300)"),
      .init("update", nil, "record what was counted; the commit says why it changed"),
    ]
  )

  /// Runs to the end; returns 0 if nothing differs, else 1.
  static func run(_ arguments: [String]) -> Int32 {
    if arguments.first == servantVerb {
      ServantVerbs().serve()
      return 0
    }
    do {
      let options = try parser.parse(arguments)
      if options.has("help") {
        Terminal.say(parser.help, terminator: "")
        return 0
      }
      return try compare(options)
    } catch let error as UsageError {
      Terminal.complain(error.description)
      return UsageError.exitStatus
    } catch {
      Terminal.complain("system-call-counts: \(error)")
      return 1
    }
  }

  private static func compare(_ options: ParsedOptions) throws -> Int32 {
    let directory = options.string("baselines") ?? "Benchmarks/Baselines"
    let rounds = try options.integer("rounds", default: 300, in: 10...100_000)
    let counter = try Counter(rounds: rounds)
    var isEqual = true
    for operation in Operation.all where [nil, operation.name].contains(options.string("only")) {
      let counted = try counter.count(operation)
      if options.has("update") {
        try Baseline(operation, counted).write(in: directory)
        Terminal.say("\(operation.name): \(text(counted))")
        continue
      }
      let differences = try Baseline(operation.name, in: directory).differences(from: counted)
      Terminal.say("\(operation.name): \(differences.isEmpty ? text(counted) : "DIFFERS")")
      for difference in differences { Terminal.say("  \(difference)") }
      isEqual = isEqual && differences.isEmpty
    }
    return isEqual ? 0 : 1
  }

  private static func text(_ calls: [String: Double]) -> String {
    let sum = calls.values.reduce(0, +)
    let names = calls.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \(Figure.short($0.value))" }
    return "\(Figure.short(sum)) calls (\(names.joined(separator: ", ")))"
  }
}
