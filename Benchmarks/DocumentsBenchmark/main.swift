import Documents
import Foundation

Task { @MainActor in
  exit(await DocumentsBenchmark.run(Array(CommandLine.arguments.dropFirst())))
}
dispatchMain()
