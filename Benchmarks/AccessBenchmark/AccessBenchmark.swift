import BenchmarkHarness
import Foundation

/// What access to documents costs, held against bars with `--check`.
enum AccessBenchmark {
  private static let program = MeasuringProgram(
    "access-benchmark",
    "Measures security scope, bookmarks, the portal's file dialog and providers.",
    options: [
      .init("directory", "PATH", "where the files are (default: the temporary directory)"),
      .init("provider", "PATH", "a folder whose provider runs: also measures reading in it"),
    ]
  )

  static func run(_ arguments: [String]) async -> Int32 {
    await program.run(arguments) { options in
      let work = try WorkDirectory(in: options.string("directory") ?? NSTemporaryDirectory())
      // A provider's folder belongs to the coordination of the user.
      if !options.has("provider") { setenv("FILE_COORDINATION_DIR", work.path + "/runtime", 1) }
      setenv("XDG_STATE_HOME", work.path + "/state", 1)
      var groups: [MeasuringProgram.Group] = [
        .init("scope") { try ScopeMeasure.run(work) },
        .init("bookmark") { try BookmarkMeasure.run(work) },
        .init("portal") { try await PortalMeasure.run(work) },
      ]
      if let storage = options.string("provider") {
        groups.append(.init("provider") { try ProviderMeasure.run(storage, work) })
      }
      return groups
    }
  }
}
