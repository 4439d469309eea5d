import Foundation

exit(SystemCallCounts.run(Array(CommandLine.arguments.dropFirst())))
