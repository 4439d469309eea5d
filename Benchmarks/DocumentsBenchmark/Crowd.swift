import BenchmarkHarness
import Documents
import Foundation

/// A thousand open documents in one process, measured in a process of their own.
@MainActor enum Crowd {
  static let count = 1_000

  static func measure(_ work: WorkDirectory) async throws -> [Measure] {
    let (empty, _) = try child(0)
    let (full, who) = try child(count)
    return [
      Measure(
        name: "document.crowd.memory",
        value: full[0] - empty[0],
        bar: 64,
        unit: "MiB",
        detail: "over an empty process of \(Figure.short(empty[0])) MiB"
      ),
      Measure(
        name: "document.crowd.event-sources",
        value: full[1],
        bar: 1,
        unit: "",
        detail: "inotify instances"
      ),
      Measure(
        name: "document.crowd.context-switches",
        value: max(0, full[2] - empty[2]),
        bar: 0,
        unit: "",
        detail:
          "in 10 s, more than the \(Figure.short(empty[2])) of an empty process that used Dispatch once; all: \(who)"
      ),
    ]
  }

  private static func child(_ count: Int) throws -> ([Double], String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--crowd", "\(count)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split { $0.isWhitespace }
    let numbers = words.prefix(3).compactMap { Double($0) }
    guard numbers.count == 3 else { throw MeasurementError("the crowd said '\(text)'") }
    return (numbers, words.dropFirst(3).joined(separator: " "))
  }

  /// Open until the process ends.
  private static var documents: [BenchmarkDocument] = []
  /// Kept, and never resumed.
  private static var end: CheckedContinuation<Void, Never>?

  /// The child: opens them, waits, and says resident memory, event sources and context switches.
  static func run(_ count: Int, _ work: WorkDirectory) async throws -> Int32 {
    for number in 0..<count {
      let url = URL(fileURLWithPath: work.itemDirectory + "/document\(number).txt")
      try Data("document \(number)".utf8).write(to: url)
      let document = BenchmarkDocument(fileURL: url)
      try await document.openOrThrow()
      documents.append(document)
    }
    // Whoever has used Dispatch once has a thread of it that looks around every second, also when empty.
    DispatchQueue.global().async {}
    // By a thread that is not Dispatch's, sleeping in the kernel: a timer would wake threads, and a
    // thread of Dispatch that is busy is looked after by another one every second.
    Thread.detachNewThread {
      do {
        try look()
        try work.remove()
        exit(0)
      } catch {
        FileHandle.standardError.write(Data("documents-benchmark: \(error)\n".utf8))
        exit(2)
      }
    }
    await withCheckedContinuation { end = $0 }
    return 0
  }

  private nonisolated static func look() throws {
    // Threads that were needed for opening end after ten seconds without work.
    Floors.sleep(nanoseconds: 20_000_000_000)
    let memory = try ProcessFacts.resident()
    let sources = try ProcessFacts.eventSources()
    let before = try ThreadSwitches()
    Floors.sleep(nanoseconds: 10_000_000_000)
    let (total, who) = try ThreadSwitches().since(before)
    print(memory, sources, total, who)
    fflush(nil)
  }
}
