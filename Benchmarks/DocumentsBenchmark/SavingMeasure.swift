import BenchmarkHarness
import Documents
import Foundation

/// Saving and opening one file of 1 MiB, in alternation with C.
@MainActor enum SavingMeasure {
  static let length = 1 << 20
  static let rounds = 100

  static func save(_ work: WorkDirectory) async throws -> [Measure] {
    let bytes = [UInt8](repeating: 0x61, count: length)
    let url = URL(fileURLWithPath: work.itemDirectory + "/save.txt")
    let document = BenchmarkDocument(fileURL: url)
    document.model = Data(bytes)
    try await document.saveOrThrow(to: url, for: .forCreating)
    var pairs = Pairs()
    for round in 0..<rounds + 10 {
      let first = round % 2 == 0 ? try floor() : 0
      let start = nanoseconds()
      guard await document.save(to: url, for: .forOverwriting) else {
        throw MeasurementError("not saved: \(String(describing: document.lastError))")
      }
      let ours = nanoseconds() - start
      let floor = round % 2 == 0 ? first : try floor()
      if round >= 10 { pairs.add(ours: ours, floor: floor) }
    }
    await document.close()
    func floor() throws -> Double {
      try Floors.saveFile("floor.txt", in: work.itemDirectory, bytes)
    }
    let theirs = Statistics.median(pairs.floor)
    return [
      Measure(
        name: "document.save.1MiB",
        value: Statistics.median(pairs.ours) / 1e6,
        bar: (theirs * 1.15 + 100_000) / 1e6,
        unit: "ms",
        detail: "C: \(Figure.time(theirs)); 1.15 x + 0.1 ms; \(rounds) pairs on \(work.fileSystem)"
      )
    ]
  }

  static func open(_ work: WorkDirectory) async throws -> [Measure] {
    var space = [UInt8](repeating: 0x62, count: length)
    let url = URL(fileURLWithPath: work.itemDirectory + "/open.txt")
    try Data(space).write(to: url)
    var pairs = Pairs()
    for round in 0..<rounds + 10 {
      let theirs = try Floors.readFile(url.path, into: &space)
      let document = BenchmarkDocument(fileURL: url)
      let start = nanoseconds()
      guard await document.open() else { throw MeasurementError("not opened") }
      let ours = nanoseconds() - start
      await document.close()
      if round >= 10 { pairs.add(ours: ours, floor: theirs) }
    }
    let theirs = Statistics.median(pairs.floor)
    return [
      Measure(
        name: "document.open.1MiB",
        value: Statistics.median(pairs.ours) / 1e6,
        bar: (theirs + 500_000) / 1e6,
        unit: "ms",
        detail: "read(2): \(Figure.time(theirs)); that + 0.5 ms; \(rounds) pairs"
      )
    ]
  }
}
