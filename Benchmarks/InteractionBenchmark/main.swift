import Dispatch
import Foundation

Task { exit(await InteractionBenchmark.run(Array(CommandLine.arguments.dropFirst()))) }
dispatchMain()
