import BenchmarkHarness
import Documents
import Foundation

/// What documents cost, held against bars with `--check`.
@MainActor enum DocumentsBenchmark {
  private static let program = MeasuringProgram(
    "documents-benchmark",
    "Measures saving, opening, packages, undo and many open documents.",
    options: [
      .init("directory", "PATH", "where the files are (default: the temporary directory)"),
      .init("crowd", "COUNT", "for the benchmark's own use"),
    ]
  )

  static func run(_ arguments: [String]) async -> Int32 {
    await program.run(arguments) { options in
      let work = try WorkDirectory(in: options.string("directory") ?? NSTemporaryDirectory())
      setenv("FILE_COORDINATION_DIR", work.path + "/runtime", 1)
      setenv("XDG_DATA_HOME", work.path + "/data", 1)
      if options.has("crowd") {
        let count = try options.integer("crowd", default: 0, in: 0...100_000)
        throw MeasuringProgram.Ended(try await Crowd.run(count, work))
      }
      return [
        .init("document.save") { try await SavingMeasure.save(work) },
        .init("document.open") { try await SavingMeasure.open(work) },
        .init("document.package") { try await PackageMeasure.run(work) },
        .init("undo") { try await UndoMeasure.run(work) },
        .init("document.crowd") { try await Crowd.measure(work) },
      ]
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
