import BenchmarkHarness
import FileCoordination
import Foundation

/// A coordinated read of a file below a provider that has delivered it, against one outside.
enum ProviderMeasure {
  private static let rounds = 200
  private static let perRound = 50

  static func run(_ storage: String, _ work: WorkDirectory) throws -> [Measure] {
    let inside = URL(fileURLWithPath: storage + "/benchmark-\(UUID().uuidString).txt")
    let outside = URL(fileURLWithPath: work.itemDirectory + "/outside.txt")
    for url in [inside, outside] { try Data("text".utf8).write(to: url) }
    // Best effort: what stays behind is one small file.
    defer { try? FileManager.default.removeItem(at: inside) }
    func read(_ url: URL) throws -> Double {
      let start = nanoseconds()
      for _ in 0..<perRound {
        var failure: NSError?
        NSFileCoordinator().coordinate(readingItemAt: url, options: [], error: &failure) { _ in }
        if let failure { throw failure }
      }
      return (nanoseconds() - start) / Double(perRound)
    }
    _ = try (read(inside), read(outside))
    let pairs = try Pairs(rounds: rounds, ours: { try read(inside) }, floor: { try read(outside) })
    return [
      Measure(
        name: "provider.read",
        value: pairs.ratio,
        bar: 1.5,
        unit: "x",
        detail: "outside: \(Figure.time(Statistics.median(pairs.floor))); \(rounds) pairs"
      )
    ]
  }
}
