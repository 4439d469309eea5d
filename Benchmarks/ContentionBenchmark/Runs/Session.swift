import BenchmarkHarness
import Foundation
import LinuxSystem

/// Everything that lasts over all runs of one call of the command: a directory of its own, a runtime
/// directory for our coordinator, and the process with the one tree presenter.
final class Session {
  let work: WorkDirectory
  /// What our worker processes get added to their environment.
  let environment: [String: String]
  private var serial = 0
  private var treePresenter: Servant?

  init(_ settings: Settings) throws {
    work = try WorkDirectory(in: settings.directory)
    environment = ["FILE_COORDINATION_DIR": try work.makeDirectory("runtime")]
  }

  deinit {
    // Boost's named locks lie in /dev/shm and outlive their processes. Best effort.
    let name = URL(filePath: work.path).lastPathComponent
    let left = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    for file in left where file.contains("-\(name)-") {
      try? FileManager.default.removeItem(atPath: "/dev/shm/\(file)")
    }
  }

  /// Starts the process that presents a tree, beside the files or above them.
  func present(_ place: Settings.TreePresenter) throws {
    guard place != .none, treePresenter == nil else { return }
    let tree = place == .above ? work.itemDirectory : try work.makeDirectory("presented")
    let servant = try servant()
    _ = try servant.ask("present-tree", tree)
    treePresenter = servant
  }

  /// Starts a helper process that uses the session's runtime directory, or one of its own.
  func servant(runtime: String? = nil) throws -> Servant {
    try Servant(
      Program.own,
      [ContentionBenchmark.servantVerb],
      environment: runtime.map { ["FILE_COORDINATION_DIR": $0] } ?? environment
    )
  }

  /// Makes new empty files, six levels deep, and returns what stands before 0, 1, 2 … in their paths.
  func freshItems(_ count: Int) throws -> String {
    serial += 1
    let prefix = "\(work.itemDirectory)/item\(serial)-"
    for index in 0..<count {
      guard FileManager.default.createFile(atPath: "\(prefix)\(index)", contents: nil) else {
        throw MeasurementError("cannot create \(prefix)\(index)")
      }
    }
    return prefix
  }

  /// A new page for a run.
  func board(lanes: Int) throws -> Board {
    serial += 1
    return try Board(creating: FilePath("\(work.path)/board\(serial)"), lanes: lanes)
  }

  /// Frees the page of a run that is over.
  func discard(_ board: Board) {
    // Best effort: the whole directory is removed in the end.
    try? FileManager.default.removeItem(atPath: board.path.description)
  }
}
