import BenchmarkHarness
import Documents
import Foundation

/// What documents cost, held against bars with `--check`.
@MainActor enum DocumentsBenchmark {
  private static let parser = OptionParser(
    program: "documents-benchmark",
    summary: "Measures saving, opening, packages, undo and many open documents.",
    options: [
      .init("check", nil, "status 1 if something that must be reached is not"),
      .init("json", nil, "one JSON object per measure"),
      .init("only", "PREFIX", "only measures whose names begin so"),
      .init("directory", "PATH", "where the files are (default: the temporary directory)"),
      .init("crowd", "COUNT", "for the benchmark's own use"),
    ]
  )

  static func run(_ arguments: [String]) async -> Int32 {
    do {
      let options = try parser.parse(arguments)
      if options.has("help") {
        print(parser.help, terminator: "")
        return 0
      }
      let base = options.string("directory") ?? NSTemporaryDirectory()
      let work = try WorkDirectory(in: base)
      setenv("FILE_COORDINATION_DIR", work.path + "/runtime", 1)
      setenv("XDG_DATA_HOME", work.path + "/data", 1)
      if options.has("crowd") {
        return try await Crowd.run(try options.integer("crowd", default: 0, in: 0...100_000), work)
      }
      let only = options.string("only") ?? ""
      let all: [(String, (WorkDirectory) async throws -> [Measure])] = [
        ("document.save", SavingMeasure.save), ("document.open", SavingMeasure.open),
        ("document.package", PackageMeasure.run), ("undo", UndoMeasure.run),
        ("document.crowd", Crowd.measure),
      ]
      var isGood = true
      for (name, body) in all where name.hasPrefix(only) {
        for measure in try await body(work) {
          print(options.has("json") ? try measure.json : measure.line)
          if !measure.isReached { isGood = false }
        }
      }
      return options.has("check") && !isGood ? 1 : 0
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return UsageError.exitStatus
    } catch {
      FileHandle.standardError.write(Data("documents-benchmark: \(error)\n".utf8))
      return 2
    }
  }
}

/// One figure, and the bar that it must stay under.
struct Measure: Codable {
  let name: String
  let value: Double
  let bar: Double
  let unit: String
  let detail: String
  var isReached: Bool { value <= bar }

  var line: String {
    let mark = isReached ? "reached" : "MISSED "
    return
      "\(mark)  \(name): \(Figure.short(value)) \(unit), at most \(Figure.short(bar))  (\(detail))"
  }
  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}

/// A document of bytes, or of many files.
// @unchecked because it is used from the main thread.
final class BenchmarkDocument: UIDocument, @unchecked Sendable {
  var model: Any = Data()
  override func load(fromContents contents: Any, ofType typeName: String?) throws {
    model = contents
  }
  override func contents(forType typeName: String) throws -> Any { model }
}

/// Nanoseconds on a clock that nobody sets.
func nanoseconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) }
