import Foundation

exit(InteractionBenchmark.run(Array(CommandLine.arguments.dropFirst())))
