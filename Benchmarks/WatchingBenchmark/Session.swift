import BenchmarkHarness
import Foundation
import LinuxSystem

/// What lasts over all measurements of one run.
final class Session {
  let work: WorkDirectory
  let peers: Peers
  let rounds: Int
  private let runtime: String
  private var serial = 0

  init(_ settings: Settings) throws {
    work = try WorkDirectory(in: settings.directory)
    peers = try Peers(in: work)
    rounds = settings.rounds
    runtime = try work.makeDirectory("runtime")
  }

  /// A new empty directory.
  func freshDirectory() throws -> String {
    serial += 1
    return try work.makeDirectory("level1/level2/level3/d\(serial)")
  }

  /// Starts this program as a process that watches.
  func helper(_ words: String...) throws -> WatcherProcess {
    try WatcherProcess(
      Program.own,
      [WatchingBenchmark.watchVerb] + words,
      environment: ["FILE_COORDINATION_DIR=\(runtime)"]
    )
  }

  /// Starts a peer.
  func peer(_ name: String, _ words: String...) throws -> WatcherProcess {
    let (program, arguments) = try peers.command(name)
    return try WatcherProcess(program, arguments + words, environment: [])
  }
}
