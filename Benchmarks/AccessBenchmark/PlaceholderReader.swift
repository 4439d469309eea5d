import BenchmarkHarness
import FileCoordination
import Foundation

/// This program as one of several readers of the same placeholders.
enum PlaceholderReader {
  /// The argument that makes the program one; others say the folder, how many items, and where to begin.
  static let verb = "read"

  static func name(_ index: Int) -> String { "item-\(index).txt" }

  /// Says `ready`, waits for a line, reads every item with coordination, and says `done` or why not.
  static func run(_ arguments: [String]) -> Int32 {
    Floors.dieWithParent()
    guard arguments.count == 3, let count = Int(arguments[1]), let first = Int(arguments[2]) else {
      return UsageError.exitStatus
    }
    Terminal.say("ready")
    _ = readLine()
    do {
      for step in 0..<count {
        // Each from a place of its own, so that they meet now here, now there.
        let url = URL(fileURLWithPath: "\(arguments[0])/\(name((first + step) % count))")
        try read(url)
      }
      Terminal.say("done")
      return 0
    } catch {
      Terminal.say("\(error)")
      return 1
    }
  }

  static func read(_ url: URL) throws {
    var failure: NSError?
    var contents: Result<Data, any Error> = .success(Data())
    NSFileCoordinator().coordinate(readingItemAt: url, options: [], error: &failure) { url in
      contents = Result { try Data(contentsOf: url) }
    }
    if let failure { throw failure }
    if try contents.get() != BenchmarkProvider.contents {
      throw MeasurementError("\(url.lastPathComponent) is not whole")
    }
  }
}
