import BenchmarkHarness
import FileCoordination
import Foundation

/// Making a bookmark, and resolving the one of a file that stayed.
enum BookmarkMeasure {
  private static let rounds = 100
  private static let perRound = 50

  static func run(_ work: WorkDirectory) throws -> [Measure] {
    let url = URL(fileURLWithPath: work.itemDirectory + "/marked.txt")
    try Data("text".utf8).write(to: url)
    let data = try url.bookmarkData()
    let create = try median { _ = try url.bookmarkData() }
    let resolve = try median {
      var isStale = false
      _ = try URL(
        resolvingBookmarkData: data,
        options: .withoutImplicitStartAccessing,
        bookmarkDataIsStale: &isStale
      )
      if isStale { throw MeasurementError("the bookmark is stale") }
    }
    let detail = "\(data.count) bytes, six levels deep on \(work.fileSystem)"
    return [
      Measure(name: "bookmark.create", value: create, bar: 30, unit: "us", detail: detail),
      Measure(name: "bookmark.resolve", value: resolve, bar: 30, unit: "us", detail: detail),
    ]
  }

  private static func median(_ body: () throws -> Void) rethrows -> Double {
    for _ in 0..<perRound { try body() }
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = nanoseconds()
      for _ in 0..<perRound { try body() }
      times.append((nanoseconds() - start) / Double(perRound) / 1_000)
    }
    return Statistics.median(times)
  }
}
