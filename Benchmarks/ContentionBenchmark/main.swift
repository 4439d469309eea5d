import Foundation

exit(ContentionBenchmark.run(Array(CommandLine.arguments.dropFirst())))
