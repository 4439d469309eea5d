import BenchmarkHarness

/// The command: reads its options, or is one of its own helper processes.
enum WatchingBenchmark {
  /// The first argument of a helper process that watches.
  static let watchVerb = "__watch"

  /// Runs to the end and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      if arguments.first == watchVerb {
        try WatchingHelper(Array(arguments.dropFirst())).run()
        return 0
      }
      let settings = try Settings(arguments)
      if settings.wantsHelp {
        Terminal.say(Settings.parser.help, terminator: "")
        return 0
      }
      return try Run(settings).run()
    } catch let error as UsageError {
      Terminal.complain(error.description)
      return UsageError.exitStatus
    } catch {
      Terminal.complain("watching-benchmark: \(error)")
      return 1
    }
  }
}
