import Foundation

exit(WatchingBenchmark.run(Array(CommandLine.arguments.dropFirst())))
