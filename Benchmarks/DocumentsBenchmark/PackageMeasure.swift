import BenchmarkHarness
import Documents
import Foundation

/// A package of 5,000 files of which one changed.
@MainActor enum PackageMeasure {
  static let files = 5_000
  static let rounds = 7

  static func run(_ work: WorkDirectory) async throws -> [Measure] {
    let url = URL(fileURLWithPath: work.itemDirectory + "/package.rtfd")
    let document = BenchmarkDocument(fileURL: url)
    var parts: [String: FileWrapper] = [:]
    for number in 0..<files {
      parts["part\(number)"] = FileWrapper(regularFileWithContents: Data("part \(number)".utf8))
    }
    document.model = FileWrapper(directoryWithFileWrappers: parts)
    try await document.saveOrThrow(to: url, for: .forCreating)
    await document.close()
    let again = BenchmarkDocument(fileURL: url)
    try await again.openOrThrow()
    guard let root = again.model as? FileWrapper else { throw MeasurementError("no package") }
    let changed = Data(repeating: 0x63, count: 4096)
    var times: [Double] = []
    var floors: [Double] = []
    var written: [Double] = []
    for round in 0..<rounds {
      let copy = work.itemDirectory + "/linked\(round)"
      floors.append(try Floors.linkTree(url.path, copy))
      try FileManager.default.removeItem(atPath: copy)
      if let old = root.fileWrappers?["part7"] { root.removeFileWrapper(old) }
      _ = root.addRegularFile(
        withContents: changed + Data("\(round)".utf8),
        preferredFilename: "part7"
      )
      let before = try ProcessFacts.bytesWritten()
      let start = nanoseconds()
      guard await again.save(to: url, for: .forOverwriting) else {
        throw MeasurementError("not saved: \(String(describing: again.lastError))")
      }
      times.append(nanoseconds() - start)
      written.append(try ProcessFacts.bytesWritten() - before)
    }
    await again.close()
    let floor = Statistics.median(floors)
    return [
      Measure(
        name: "document.package.one-of-5000",
        value: Statistics.median(times) / 1e6,
        bar: 3 * floor / 1e6,
        unit: "ms",
        detail: "linking in C: \(Figure.time(floor)); at most 3 x"
      ),
      Measure(
        name: "document.package.bytes-written",
        value: Statistics.median(written),
        bar: 4 * Double(changed.count),
        unit: "bytes",
        detail: "the changed file has \(changed.count)"
      ),
    ]
  }
}

/// What the kernel says of this process.
enum ProcessFacts {
  static func bytesWritten() throws -> Double { try value("io", "wchar:") }
  /// Resident memory in MiB.
  static func resident() throws -> Double { try value("status", "VmRSS:") / 1024 }

  private static func value(_ file: String, _ key: String) throws -> Double {
    let text = try String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8)
    for line in text.split(separator: "\n") where line.hasPrefix(key) {
      let digits = line.drop { !$0.isNumber }.prefix { $0.isNumber }
      if let number = Double(digits) { return number }
    }
    throw MeasurementError("no \(key) in /proc/self/\(file)")
  }

  /// How many sources of file events are open.
  static func eventSources() throws -> Double {
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let links = names.compactMap {
      // The descriptor that lists the directory is closed by now.
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    return Double(links.filter { $0.contains("inotify") }.count)
  }
}
