import BenchmarkHarness
import Foundation

/// What access to documents costs, and what providers do, held against bars with `--check`.
enum AccessBenchmark {
  private static let program = MeasuringProgram(
    "access-benchmark",
    "Measures security scope, bookmarks, the portal's file dialog and providers.",
    options: [
      .init("directory", "PATH", "where the files are (default: the temporary directory)")
    ]
  )

  static func run(_ arguments: [String]) async -> Int32 {
    await program.run(arguments) { options in
      let work = try WorkDirectory(in: options.string("directory") ?? NSTemporaryDirectory())
      setenv("FILE_COORDINATION_DIR", work.path + "/runtime", 1)
      setenv("XDG_STATE_HOME", work.path + "/state", 1)
      setenv("XDG_DATA_HOME", work.path + "/data", 1)
      return [
        .init("scope") { try ScopeMeasure.run(work) },
        .init("bookmark") { try BookmarkMeasure.run(work) },
        .init("portal") { try await PortalMeasure.run(work) },
        .init("provider") {
          try ProviderMeasure.run(try ProviderRig(data: work.path + "/data"), work)
        },
      ]
    }
  }
}
