import LinuxSystem
import TestSupport

/// Another process that watches through the public interface and prints what it is told.
final class WatchingPeer: Sendable {
  private let process: ChildProcess
  private let input: SharedDescriptor
  private let said = Mutex<[UInt8]>([])

  /// Starts it; `script` says how, with `"$0" "$@"` for the program and its paths.
  init(
    _ paths: [FilePath],
    name: String = "watching-peer",
    script: String = #"exec "$0" "$@""#
  ) throws {
    let program = try World.product(name)
    let (commands, commandsOut) = try Descriptor.pipe()
    let (lines, linesOut) = try Descriptor.pipe()
    process = try ChildProcess(
      FilePath("/bin/sh"),
      ["-ec", script, program.description] + paths.map(\.description),
      input: commands.number,
      output: linesOut.number
    )
    input = commandsOut
    try BlockingThread.start("watching-peer") { [weak self] in
      // It ends with the process, or with the test.
      while let more = try? lines.with({ descriptor throws(SystemError) in
        try descriptor.read(upTo: 4096)
      }), !more.isEmpty {
        guard let self else { return }
        self.said.withLock { $0 += more }
      }
    }
  }

  /// Everything it has said so far.
  var text: String { String(decoding: said.withLock { $0 }, as: UTF8.self) }

  /// Waits until it has said a line that begins so.
  func says(_ line: String) async throws {
    try await eventually("a peer says \(line)\n\(text)") { ("\n" + text).contains("\n" + line) }
  }
}
