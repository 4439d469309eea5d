import BenchmarkHarness
import FileCoordination
import Foundation

/// Starting and stopping the access of a URL.
enum ScopeMeasure {
  private static let pairs = 100_000

  static func run(_ work: WorkDirectory) throws -> [Measure] {
    let file = URL(fileURLWithPath: work.itemDirectory + "/scoped.txt")
    try Data("text".utf8).write(to: file)
    var isStale = false
    let url = try URL(
      resolvingBookmarkData: file.bookmarkData(),
      options: .withoutImplicitStartAccessing,
      bookmarkDataIsStale: &isStale
    )
    func pair() throws {
      guard url.startAccessingSecurityScopedResource() else {
        throw MeasurementError("the URL has no scope")
      }
      url.stopAccessingSecurityScopedResource()
    }
    for _ in 0..<1_000 { try pair() }
    let (heap, descriptors) = (Floors.heapInUse, try openDescriptors())
    var rounds: [Double] = []
    for _ in 0..<100 {
      let start = nanoseconds()
      for _ in 0..<(pairs / 100) { try pair() }
      rounds.append((nanoseconds() - start) / Double(pairs / 100))
    }
    let (heapAfter, descriptorsAfter) = (Floors.heapInUse, try openDescriptors())
    return [
      Measure(
        name: "scope.pair",
        value: Statistics.median(rounds) / 1_000,
        bar: 5,
        unit: "us",
        detail: "start and stop, median of 100 rounds of \(pairs / 100)"
      ),
      Measure(
        name: "scope.leaked-descriptors",
        value: Double(descriptorsAfter - descriptors),
        bar: 0,
        unit: "",
        detail: "after \(pairs) balanced pairs"
      ),
      Measure(
        name: "scope.leaked-memory",
        value: Double(max(0, heapAfter - heap)),
        // Less than a byte a pair: what the measuring itself keeps.
        bar: 16_384,
        unit: "bytes",
        detail: "after \(pairs) balanced pairs"
      ),
    ]
  }

  private static func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }
}
