import CoordinationRuntime
import LinuxSystem
import TestSupport

/// Runs of `document-peer`, each in directories of the test's own.
struct DocumentPeerRun {
  let folder: Folder
  var environment: [String] {
    environment(coordinatingIn: folder.path("runtime"), folder.directory.path)
  }

  /// The same for a process that coordinates, and keeps versions, with the one of the tests.
  var sharedEnvironment: [String] {
    get throws {
      // Whichever test coordinated first in this process has decided where, maybe before the world of
      // documents was entered.
      environment(coordinatingIn: try RuntimeDirectory.shared().path, DocumentWorld.directory.path)
    }
  }

  private func environment(coordinatingIn runtime: FilePath, _ place: FilePath) -> [String] {
    [
      "FILE_COORDINATION_DIR=\(runtime)", "XDG_DATA_HOME=\(place.appending("data"))",
      "XDG_STATE_HOME=\(place.appending("state"))", "PATH=/usr/bin:/bin", "HOME=/nonexistent",
      "SWIFT_BACKTRACE=enable=no",
    ] + (Environment.value(of: "LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=\($0)"] } ?? [])
  }

  struct Outcome {
    let end: ChildProcess.End
    let lines: [String]
  }

  /// Runs it to its end, below another program where one is named, in its own environment unless another
  /// one is given.
  func run(
    _ arguments: [String],
    below tracer: [String] = [],
    in environment: [String]? = nil
  ) async throws -> Outcome {
    let (reading, writing) = try Descriptor.pipe()
    let peer = try World.product("document-peer").description
    let words = tracer + [peer] + arguments
    let process = try ChildProcess(
      FilePath(words[0]),
      Array(words.dropFirst()),
      environment: environment ?? self.environment,
      output: writing.number
    )
    let output = OutputReader(reading)
    try output.start()
    writing.with { _ in }
    _ = consume writing
    let end = try await eventually(
      "the peer ended",
      within: .seconds(50),
      value: { process.poll() }
    )
    let lines = try await eventually("its output ended", value: { output.lines })
    return Outcome(end: end, lines: lines)
  }
}

/// What a process writes until it ends.
private final class OutputReader: Sendable {
  private let descriptor: SharedDescriptor
  private let log = DocumentLog()
  private let done = DocumentLog()
  init(_ descriptor: SharedDescriptor) { self.descriptor = descriptor }

  func start() throws {
    try BlockingThread.start("peer-output") { [self] in
      let bytes = descriptor.with { try? $0.readToEnd() } ?? []  // nothing to read is no line
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        log.add(String(line))
      }
      done.add("")
    }
  }
  var lines: [String]? { done.lines.isEmpty ? nil : log.lines }
}
