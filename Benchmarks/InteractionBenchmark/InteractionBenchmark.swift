import BenchmarkHarness
import CGIO
import DesktopFiles
import DesktopPrograms
import Foundation
import LinuxSystem

/// What looking at and opening files costs beside GIO and the kernel, held against bars with `--check`.
///
/// Data directories and files are its own, in memory where there is /dev/shm; loops have no think time;
/// pairs are measured in alternation.
enum InteractionBenchmark {
  private static let program = MeasuringProgram(
    "interaction-benchmark",
    "Measures programs for a type, types of files and thumbnails, against GIO's own calls.",
    options: [.init("directory", "PATH", "where the files are (default: /dev/shm)")]
  )

  static func run(_ arguments: [String]) async -> Int32 {
    await program.run(arguments) { options in
      let work = try WorkDirectory(in: options.string("directory"))
      let desktop = try FixtureDesktop(work)
      return [
        .init("programs") { [try programs(desktop)] }, .init("types") { [try types(desktop)] },
        .init("thumbnail") { [try thumbnails(desktop, work)] },
      ]
    }
  }

  // MARK: measures

  private static func programs(_ desktop: FixtureDesktop) throws -> Measure {
    let type = "text/plain"
    let ours = DesktopPrograms.all(for: type).map(\.id)
    let theirs = GIO.programs(for: type)
    guard ours.count >= 100 else {
      throw MeasurementError("only \(ours.count) programs were found")
    }
    let calls = 20
    let pairs = Pairs(
      rounds: 15,
      ours: { time(calls) { blackHole(DesktopPrograms.all(for: type).count) } },
      floor: { time(calls) { blackHole(GIO.count(for: type)) } }
    )
    return Measure(
      name: "programs.300",
      pairs: pairs,
      calls: calls,
      bar: 1.5,
      floor: "g_app_info_get_all_for_type",
      isEqual: ours == theirs,
      detail: "\(ours.count) of 300 programs open \(type)"
    )
  }

  private static func types(_ desktop: FixtureDesktop) throws -> Measure {
    let paths = desktop.files.map { FilePath($0) }
    var isEqual = true
    for (path, text) in zip(paths, desktop.files)
    where try DesktopPrograms.type(of: path) != GIO.type(of: text) {
      isEqual = false
    }
    let pairs = try Pairs(
      rounds: 5,
      ours: {
        try time(1) {
          for path in paths { blackHole(try DesktopPrograms.type(of: path).utf8.count) }
        }
      },
      floor: { time(1) { for text in desktop.files { blackHole(GIO.typeLength(of: text)) } } }
    )
    return Measure(
      name: "types.10000",
      pairs: pairs,
      calls: paths.count,
      bar: 1.5,
      floor: "g_file_query_info(standard::content-type)",
      isEqual: isEqual,
      detail: "per file, every fourth by content"
    )
  }

  private static func thumbnails(
    _ desktop: FixtureDesktop,
    _ work: WorkDirectory
  ) throws -> Measure {
    let cache = ThumbnailCache(cacheHome: FilePath(work.path).appending("cache"))
    let file = FilePath(work.itemDirectory).appending("picture.png")
    let picture = FixtureDesktop.picture
    try FixtureDesktop.write(file.description, picture)
    let status = try FileStatus(of: file)
    guard let thumbnail = try cache.store(Array(picture), of: file, status) else {
      throw MeasurementError("the thumbnail could not be stored")
    }
    let found = try cache.lookUp(file)
    let (original, cached) = (file.description, thumbnail.description)
    let calls = 5000
    let pairs = try Pairs(
      rounds: 25,
      ours: {
        try time(calls) {
          guard try cache.lookUp(file) != nil else { throw MeasurementError("it was not found") }
        }
      },
      floor: { time(calls) { KernelFloor.lookUp(original, cached) } }
    )
    return Measure(
      name: "thumbnail.hit",
      pairs: pairs,
      calls: calls,
      bar: 2,
      floor: "stat, open, read 4 KiB, close",
      isEqual: found == thumbnail,
      detail: "verified by URI and time"
    )
  }

  private static func time(_ calls: Int, _ body: () throws -> Void) rethrows -> Double {
    let start = MonotonicInstant.now.nanoseconds
    for _ in 0..<calls { try body() }
    return Double(MonotonicInstant.now.nanoseconds - start) / Double(calls)
  }

  @inline(never) private static func blackHole(_ value: Int) {
    if value == .min { print(value) }
  }
}

extension Measure {
  /// How often the floor's time ours takes.
  fileprivate init(
    name: String,
    pairs: Pairs,
    calls: Int,
    bar: Double,
    floor: String,
    isEqual: Bool,
    detail: String
  ) {
    let scale = name.hasPrefix("types") ? Double(calls) : 1
    let (ours, theirs) = (
      Figure.time(Statistics.median(pairs.ours) / scale),
      Figure.time(Statistics.median(pairs.floor) / scale)
    )
    self.init(
      name: name,
      value: pairs.ratio,
      bar: bar,
      unit: "times \(floor)",
      isEqual: isEqual,
      detail: "\(ours) against \(theirs); \(detail)"
    )
  }
}
