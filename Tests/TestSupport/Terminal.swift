import Foundation
package import LinuxSystem

/// A terminal in tmux, in which one program runs; gone with the value.
package final class Terminal: Sendable {
  private let socket: FilePath
  private let place: TemporaryDirectory

  package init(
    _ program: FilePath,
    _ arguments: [String],
    environment: [String: String],
    columns: Int = 80,
    rows: Int = 24
  ) throws {
    place = try TemporaryDirectory()
    socket = place.path.appending("tmux")
    let settings = environment.map { "\($0.key)=\(Self.quoted($0.value))" }.sorted()
    let command =
      "exec env " + settings.joined(separator: " ") + " "
      + ([program.description] + arguments).map(Self.quoted).joined(separator: " ")
    _ = try tmux([
      "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", command,
    ])
  }

  deinit {
    // It may have ended by itself.
    _ = try? tmux(["kill-server"])
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  /// Keys as tmux names them.
  package func press(_ keys: String...) throws { _ = try tmux(["send-keys"] + keys) }

  /// Text as it is.
  package func type(_ text: String) throws { _ = try tmux(["send-keys", "-l", text]) }

  package func resize(columns: Int, rows: Int) throws {
    _ = try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What is on the screen, line by line.
  package var screen: [String] {
    get throws {
      try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
  }

  /// Where the cursor is: column and row.
  package var cursor: String {
    get throws {
      try tmux(["display-message", "-p", "#{cursor_x},#{cursor_y}"])
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// The process id of the program.
  package var programID: String {
    get throws {
      try tmux(["display-message", "-p", "#{pane_pid}"])
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  package var isRunning: Bool {
    // No server: its only program has ended.
    (try? tmux(["list-sessions"])) != nil
  }

  /// Waits until something is on the screen.
  package func shows(_ text: String) async throws {
    do {
      try await eventually("“\(text)” on the screen") {
        try self.screen.contains { $0.contains(text) }
      }
    } catch {
      let now = (try? screen.joined(separator: "\n")) ?? "(no screen)"
      throw NotInTime("\(error)\n\(now)")
    }
  }

  private func tmux(_ arguments: [String]) throws -> String {
    let (process, output) = try start(arguments)
    let bytes = try output.with { (pipe) throws(SystemError) in try pipe.readToEnd() }
    guard process.wait() == .exited(0) else { throw NotInTime("tmux \(arguments) failed") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Our end of the pipe for writing closes when this returns.
  private func start(_ arguments: [String]) throws -> (ChildProcess, SharedDescriptor) {
    let (reading, writing) = try Descriptor.pipe()
    let process = try ChildProcess(
      FilePath("/usr/bin/tmux"),
      ["-u", "-S", socket.description] + arguments,
      environment: ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm-256color", "HOME=/tmp"],
      output: writing.number
    )
    return (process, reading)
  }
}
