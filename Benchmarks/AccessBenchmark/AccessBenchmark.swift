import BenchmarkHarness
import Foundation

/// What access to documents costs, held against bars with `--check`.
enum AccessBenchmark {
  private static let parser = OptionParser(
    program: "access-benchmark",
    summary: "Measures security scope, bookmarks, the portal's file dialog and providers.",
    options: [
      .init("check", nil, "status 1 if something that must be reached is not"),
      .init("json", nil, "one JSON object per measure"),
      .init("only", "PREFIX", "only measures whose names begin so"),
      .init("directory", "PATH", "where the files are (default: the temporary directory)"),
      .init("provider", "PATH", "a folder whose provider runs: also measures reading in it"),
    ]
  )

  static func run(_ arguments: [String]) async -> Int32 {
    do {
      let options = try parser.parse(arguments)
      if options.has("help") {
        print(parser.help, terminator: "")
        return 0
      }
      let work = try WorkDirectory(in: options.string("directory") ?? NSTemporaryDirectory())
      // A provider's folder belongs to the coordination of the user.
      if !options.has("provider") { setenv("FILE_COORDINATION_DIR", work.path + "/runtime", 1) }
      setenv("XDG_STATE_HOME", work.path + "/state", 1)
      let only = options.string("only") ?? ""
      var all: [(String, (WorkDirectory) async throws -> [Measure])] = [
        ("scope", ScopeMeasure.run), ("bookmark", BookmarkMeasure.run),
        ("portal", PortalMeasure.run),
      ]
      if let storage = options.string("provider") {
        all.append(("provider", { try ProviderMeasure.run(storage, $0) }))
      }
      var isGood = true
      for (name, body) in all where name.hasPrefix(only) || only.hasPrefix(name) {
        for measure in try await body(work) where measure.name.hasPrefix(only) {
          print(options.has("json") ? try measure.json : measure.line)
          if !measure.isReached { isGood = false }
        }
      }
      return options.has("check") && !isGood ? 1 : 0
    } catch let error as UsageError {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return UsageError.exitStatus
    } catch {
      FileHandle.standardError.write(Data("access-benchmark: \(error)\n".utf8))
      return 2
    }
  }
}
