import Dispatch
import Foundation

Task { exit(await AccessBenchmark.run(Array(CommandLine.arguments.dropFirst()))) }
dispatchMain()
