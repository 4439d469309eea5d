import Foundation
import LinuxSystem
import TestSupport
import Testing

/// The sample as its user has it: in a terminal that tmux plays.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct SampleTests {
  /// `docinteraction` in a terminal; gone with the value.
  final class Screen: Sendable {
    private let socket: FilePath
    private let place: TemporaryDirectory

    init(_ desktop: Desktop) throws {
      place = try TemporaryDirectory()
      socket = place.path.appending("tmux")
      let settings = try desktop.environment.map { "'\($0)'" }.joined(separator: " ")
      let program = try World.product("docinteraction")
      _ = try tmux([
        "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24",
        "exec env \(settings) '\(program)' '\(desktop.world.files)'",
      ])
    }

    // It may have ended by itself.
    deinit { _ = try? tmux(["kill-server"]) }

    func press(_ keys: String...) throws { _ = try tmux(["send-keys"] + keys) }

    var text: String { get throws { try tmux(["capture-pane", "-p"]) } }

    /// No server: its only program has ended.
    var isRunning: Bool { (try? tmux(["list-sessions"])) != nil }

    func shows(_ wanted: String) async throws {
      do {
        try await eventually("“\(wanted)”") { try text.contains(wanted) }
      } catch {
        throw NotInTime("\(error)\n\((try? text) ?? "(no screen)")")
      }
    }

    private func tmux(_ arguments: [String]) throws -> String {
      let output = try MemoryFile.empty()
      let nowhere = try Descriptor.open(FilePath("/dev/null"), .readWrite)
      let process = try ChildProcess(
        FilePath("/usr/bin/tmux"),
        ["-u", "-S", socket.description] + arguments,
        environment: ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TERM=xterm-256color", "HOME=/tmp"],
        input: nowhere.number,
        output: output.number,
        error: nowhere.number
      )
      guard process.wait() == .exited(0) else { throw NotInTime("tmux \(arguments) failed") }
      return String(decoding: try output.read(1 << 16, at: 0), as: UTF8.self)
    }
  }

  @Test func `a folder is listed, kept current, and its files are looked at`() async throws {
    let desktop = try Desktop {
      File("notes.txt", "first line\nsecond line\n")
      Directory("folder") {}
    }
    let screen = try Screen(desktop)
    try await screen.shows("≡ notes.txt")
    try await screen.shows("▸ folder")
    try await screen.shows("23 bytes")
    try desktop.world.put("another.png", "x")
    try await screen.shows("▣ another.png")
    try FileSystem.removeFile(desktop.file("another.png"))
    try await eventually("it is gone from the list") { try !screen.text.contains("another.png") }
    // The folder stands first; it has nothing to be seen.
    try screen.press("Enter")
    try await screen.shows("there is nothing to see")
    try screen.press("Down")
    try screen.press("Enter")
    try await screen.shows("second line")
    try await screen.shows("Encoding: ASCII")
    try screen.press("q")
    try await screen.shows("23 bytes")
    try screen.press("q")
    try await eventually("it has ended") { !screen.isRunning }
  }

  @Test func `a file is opened in a program, and its change is told`() async throws {
    let desktop = try Desktop { File("notes.txt", "text\n") }
    try await desktop.installReceiver("editor")
    let screen = try Screen(desktop)
    try await screen.shows("notes.txt")
    try screen.press("o")
    try await screen.shows("editor program")
    try screen.press("Enter")
    #expect(try await desktop.received("editor").arguments == [desktop.path("notes.txt")])
    try await screen.shows("opened in editor")
    try desktop.world.put("notes.txt", "changed by the editor\n")
    try await screen.shows("notes.txt was changed by another program")
  }

  @Test func `the options menu moves a file to the trash`() async throws {
    let desktop = try Desktop { File("notes.txt", "text\n") }
    let screen = try Screen(desktop)
    try await screen.shows("notes.txt")
    try screen.press("a")
    try await screen.shows("Quick Look")
    try await screen.shows("Move to Trash")
    try screen.press("PageDown")
    try screen.press("Enter")
    try await eventually("it is in the trash") { !desktop.world.exists("notes.txt") }
    try await eventually("the list is empty") { try !screen.text.contains("≡ notes.txt") }
  }

  @Test func `with no program for a file the user is told so`() async throws {
    let desktop = try Desktop { File("notes.txt", "text\n") }
    let screen = try Screen(desktop)
    try await screen.shows("notes.txt")
    try screen.press("o")
    try await screen.shows("no program can open it")
  }

  @Test func `wrong use and missing folders end with a message`() async throws {
    let desktop = try Desktop {}
    let program = try World.product("docinteraction").description
    #expect(try await desktop.run(program).status == 64)
    #expect(try await desktop.run(program, "/no/such/folder").status == 1)
    #expect(try await desktop.run(program, desktop.path("")).status == 1)
  }
}
