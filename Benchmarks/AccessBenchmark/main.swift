import Dispatch
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case BenchmarkProvider.verb where arguments.count == 2: BenchmarkProvider.run(arguments[1])
case PlaceholderReader.verb: exit(PlaceholderReader.run(Array(arguments.dropFirst())))
default:
  Task { exit(await AccessBenchmark.run(arguments)) }
  dispatchMain()
}
