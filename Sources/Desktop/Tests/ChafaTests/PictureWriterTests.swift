import Foundation
import Testing

/// The program itself, run as others run it.
@Suite(.timeLimit(.minutes(1)), .serialized) struct PictureWriterTests {
  private static let picture =
    Data("2 2\n".utf8) + Data([255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9])

  /// Beside the tests.
  private static var program: URL {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().appendingPathComponent("picture-writer")
  }

  private struct Result {
    var status: Int32
    var output: Data
    var errors: String
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  private func run(
    _ words: [String],
    _ input: Data = picture,
    environment: [String: String] = [:],
    program: URL = program
  ) throws -> Result {
    // Files, because nobody reads one pipe while the other is full.
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("fc-writer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: place) }
    let files = ["in", "out", "err"].map { place.appendingPathComponent($0) }
    try input.write(to: files[0])
    for file in files[1...] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = program
    process.arguments = words
    var variables = environment
    for name in ["LD_LIBRARY_PATH", "TSAN_OPTIONS"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    process.environment = variables
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus,
      output: try Data(contentsOf: files[1]),
      errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)
    )
  }

  @Test func `each format that is asked for is written`() throws {
    for (format, beginning) in [
      ("sixel", "\u{1b}P"), ("kitty", "\u{1b}_G"), ("iterm", "\u{1b}]1337;File="),
    ] {
      let result = try run(["--format", format, "--cell", "10x20", "80", "24"])
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.text.hasPrefix(beginning))
    }
    #expect(try run(["--format", "blocks", "80", "24"]).text.utf8.contains(0x1b) == false)
  }

  @Test func `without one the terminal of the environment decides`() throws {
    #expect(try run(["9", "9"], environment: ["TERM": "xterm-kitty"]).text.hasPrefix("\u{1b}_G"))
    #expect(try run(["9", "9"], environment: ["TERM": "mlterm"]).text.hasPrefix("\u{1b}P"))
    #expect(try run(["9", "9"]).text.utf8.contains(0x1b) == false)
    #expect(
      try run(["--format", "auto", "9", "9"], environment: ["TERM": "xterm-kitty"]).text
        .hasPrefix("\u{1b}_G")
    )
  }

  @Test(arguments: [
    ("2 2\n", "only 0: the picture is cut off"), ("2 2\n123456789", "only 9"),
    ("2 2\n1234567890123", "more"), ("", "does not begin with"), ("2 2", "does not begin with"),
    ("0 2\n", "of 1 to 4096"), ("4097 1\n", "of 1 to 4096"), ("2\n12", "of 1 to 4096"),
    ("99999999999999999999 1\n", "does not begin with"), ("-1 -1\n123", "of 1 to 4096"),
    ("%n %s\n123", "of 1 to 4096"), ("1 1 1\n123", "of 1 to 4096"),
  ])
  func `dots that are not as many as they say are an error, and nothing is written`(
    _ input: String,
    _ message: String
  ) throws {
    let result = try run(["80", "24"], Data(input.utf8))
    #expect(result.status == 65)
    #expect(result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    [], ["80"], ["80", "0"], ["80", "24", "1"], ["--format", "gif", "80", "24"], ["--format"],
    ["--cell", "8", "80", "24"], ["--cell", "0x0", "80", "24"], ["--cell", "999x999", "8", "8"],
  ])
  func `wrong use is told`(_ words: [String]) throws {
    let result = try run(words)
    #expect(result.status == 64)
    #expect(result.errors.contains("usage: picture-writer"), "\(result.errors)")
  }

  /// Draws the dots on its standard input in a new tmux, and prints its screen.
  private static let drawing = """
    place=$(mktemp -d) && cat > "$place/dots" || exit 1
    tmux() { command tmux -S "$place/socket" -f /dev/null -u "$@"; }
    tmux new-session -d -x 60 -y 20 "KITTY_PID=1 '$1' 40 10 < '$place/dots'; echo done; cat"
    for i in $(seq 500); do
      screen=$(tmux capture-pane -p)
      case $screen in *done*) break ;; esac
    done
    tmux kill-server
    rm -r "$place"
    printf '%s\\n' "$screen"
    """

  @Test func `in tmux there are blocks on the screen`() throws {
    var picture = Data("8 8\n".utf8)
    for shade in UInt8(0)..<64 { picture += [shade * 4, 0, 255 - shade * 4] }
    // The threads that tests run on block signals, and so would all that is started here.
    let unblocked = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      os.execv("/bin/sh", ["sh", "-c", sys.argv[1], "sh", sys.argv[2]])
      """
    let result = try run(
      ["-S", "-E", "-c", unblocked, Self.drawing, Self.program.path],
      picture,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"],
      program: URL(fileURLWithPath: "/usr/bin/python3")
    )
    #expect(result.text.contains("done"), "\(result.text)\(result.errors)")
    let lines = result.text.split(separator: "\n").prefix { !$0.hasPrefix("done") }
    #expect(lines.count == 4, "\(result.text)")
    #expect(
      lines.joined().unicodeScalars.contains { (0x2580...0x259f).contains($0.value) },
      "\(result.text)"
    )
  }
}
