import BenchmarkHarness
import BenchmarkWorkers

/// The command: reads its options, or is one of its own worker processes.
enum ContentionBenchmark {
  /// The first argument of a worker process, which contends for one lock.
  static let workerVerb = "__worker"
  /// The first argument of a helper process, which does what it is told line by line.
  static let servantVerb = "__serve"

  /// Runs to the end and returns the exit status.
  static func run(_ arguments: [String]) -> Int32 {
    switch arguments.first {
    case workerVerb: return work(Array(arguments.dropFirst()))
    case servantVerb:
      ServantVerbs().serve()
      return 0
    default: break
    }
    do {
      let settings = try Settings(arguments)
      if settings.wantsHelp {
        Terminal.say(Settings.parser.help, terminator: "")
        return 0
      }
      return try settings.isCheck ? Check(settings).run() : Comparison(settings).run()
    } catch let error as UsageError {
      Terminal.complain(error.description)
      return UsageError.exitStatus
    } catch {
      Terminal.complain("contention-benchmark: \(error)")
      return 1
    }
  }

  private static func work(_ arguments: [String]) -> Int32 {
    arguments.first == Backend.ours
      ? CoordinatorWorker.run(Array(arguments.dropFirst())) : Floors.work(arguments)
  }
}
