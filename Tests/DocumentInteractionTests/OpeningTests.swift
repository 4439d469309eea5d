import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Programs that are really started.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess)) struct OpeningTests {
  @Test(arguments: [
    ("%f", ["a.txt"]), ("%F", ["a.txt"]), ("%u", ["a.txt"]), ("", ["a.txt"]),
    ("--icon %i %f", ["--icon", "--icon", "pic", "a.txt"]), ("%c %f", ["codes program", "a.txt"]),
    ("100%% %f", ["100%", "a.txt"]), ("%v %m %f", ["a.txt"]),
  ])
  func `field codes are expanded as the specification says`(_ codes: String, _ expected: [String])
    async throws
  {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.installReceiver("codes", codes: codes, more: "Icon=pic")
    #expect(try await desktop.filecoord("open", desktop.path("a.txt")).status == 0)
    let got = try await desktop.received("codes").arguments.map {
      $0.replacingOccurrences(of: desktop.path("a.txt"), with: "a.txt")
        .replacingOccurrences(of: "file://", with: "")
    }
    // GIO drops what is deprecated, or leaves an empty word in its place.
    #expect(got.filter { !$0.isEmpty } == expected)
  }

  @Test(arguments: [
    "a b.txt", "$(touch pwned).txt", "`touch pwned`.txt", "a;touch pwned;.txt", "a'\"b.txt",
    "%f.txt",
    "-rf.txt", "a\nb.txt", "*.txt", "é ü 漢.txt", "a\\nb.txt", "#a.txt", "a%20b.txt",
  ])
  func `a name is one word to the program, whatever is in it`(_ name: String) async throws {
    let desktop = try Desktop {}
    try desktop.world.put(name, "text")
    try await desktop.installReceiver("names")
    #expect(try await desktop.filecoord("open", desktop.path(name)).status == 0)
    #expect(try await desktop.received("names").arguments == [desktop.path(name)])
    #expect(!desktop.world.exists("pwned"))
  }

  @Test func `an entry whose command line is bad is refused, and says why`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.install("bad", exec: "touch \(desktop.path("touched")) %Z %f")
    let result = try await desktop.filecoord("open", desktop.path("a.txt"))
    #expect(result.status == 1)
    #expect(result.errors.contains("%Z"))
    #expect(!desktop.world.exists("touched"))
  }

  @Test func `--with takes another than the preferred, by id or by name`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.installReceiver("first")
    try await desktop.installReceiver("second")
    #expect(
      try await desktop.filecoord("open", "--with", "second", desktop.path("a.txt")).status == 0
    )
    #expect(try await desktop.received("second").arguments.count == 1)
    #expect(
      try await desktop.filecoord("open", "--with", "FIRST program", desktop.path("a.txt")).status
        == 0
    )
    #expect(try await desktop.received("first").arguments.count == 1)
    #expect(
      try await desktop.filecoord("open", "--with", "none", desktop.path("a.txt")).status == 127
    )
  }

  @Test func `a copy is another file, which is read only`() async throws {
    let desktop = try Desktop { File("a.txt", "text") }
    try await desktop.installReceiver("copy")
    #expect(try await desktop.filecoord("open", "--copy", desktop.path("a.txt")).status == 0)
    let copy = try #require(try await desktop.received("copy").arguments.first)
    #expect(copy != desktop.path("a.txt"))
    #expect(copy.hasSuffix("/a.txt"))
    #expect(FileManager.default.contents(atPath: copy) == Data("text".utf8))
    #expect(try FileStatus(of: FilePath(copy)).permissions == 0o400)
  }

  @Test func `a program that wants a terminal gets one`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.installReceiver("vi", more: "Terminal=true")
    // GIO takes the first of several names that is in PATH.
    for name in ["xdg-terminal-exec", "kgx", "gnome-terminal", "mate-terminal", "xterm"] {
      try desktop.installTool(
        name,
        "case $1 in -e|-x|--) shift;; esac; touch '\(desktop.path("in-terminal"))'; exec \"$@\""
      )
    }
    let result = try await desktop.filecoord("open", desktop.path("a.txt"))
    #expect(result.status == 0, "\(result.errors)")
    #expect(try await desktop.received("vi").arguments == [desktop.path("a.txt")])
    #expect(desktop.world.exists("in-terminal"))
  }

  @Test func `the annotation reaches the program, and goes no further`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.installReceiver("suite", more: "StartupNotify=true")
    try await desktop.installReceiver("other")
    let app = try App(desktop, "a.txt", "suite.desktop", "from the app")
    try await app.expect("did suite")
    let received = try await desktop.received("suite")
    #expect(received.note == "from the app")
    #expect(!received.isStillInEnvironment)
    #expect(received.startupID?.contains("_TIME") == true)
    #expect(app.lines.contains("presents true"))
    app.end()
    // Even one of ours is not handed on.
    #expect(
      try await desktop.filecoord(
        "open",
        "--with",
        "other",
        desktop.path("a.txt"),
        extra: ["DOCUMENT_ANNOTATION=abcd", "DESKTOP_STARTUP_ID=mine"]
      ).status == 0
    )
    let other = try await desktop.received("other")
    #expect(other.note == nil)
    #expect(!other.isStillInEnvironment)
    #expect(other.startupID == nil)
  }

  @Test func `an app hears of what the program does to the file`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.installReceiver("editor")
    let app = try App(desktop, "a.txt", "editor.desktop", "x")
    try await app.expect("did editor")
    try desktop.world.put("a.txt", "changed by the editor")
    try await app.expect("changed")
    app.end()
  }

  @Test func `a writer waits until the program has opened the file`() async throws {
    let desktop = try Desktop { File("a.txt", "before") }
    // Opens the file only when it may.
    try desktop.world.put(
      "slow.sh",
      "#!/bin/sh\ntouch started\nwhile ! test -e go; do sleep 0.01; done\ncat \"$1\" > seen\n"
    )
    try FileSystem.setPermissions(desktop.file("slow.sh"), 0o755)
    try await desktop.install(
      "slow",
      exec: "\(desktop.path("slow.sh")) %f",
      more: "Path=\(desktop.world.files)"
    )
    let opener = try Background(desktop, "filecoord", ["open", desktop.path("a.txt")])
    try await eventually("the program runs") { desktop.world.exists("started") }
    let writer = try Background(
      desktop,
      "filecoord",
      ["write", desktop.path("a.txt"), "--", "sh", "-c", "echo after > \"$1\"", "sh", "{}"]
    )
    try desktop.world.put("go", "")
    #expect(try await opener.end() == 0)
    #expect(try await writer.end() == 0)
    try await eventually("the program has read") { desktop.world.exists("seen") }
    #expect(try desktop.world.contents("a.txt") == "after\n")
  }

  @Test func `a file that vanishes is an error`() async throws {
    let desktop = try Desktop { File("a.txt", "a") }
    try await desktop.installReceiver("x")
    #expect(try await desktop.filecoord("open", desktop.path("missing.txt")).status == 66)
    #expect(try await desktop.filecoord("apps", desktop.path("missing.txt")).status == 66)
    #expect(try await desktop.filecoord("preview", desktop.path("missing.txt")).status == 66)
    #expect(try await desktop.filecoord("trash", desktop.path("missing.txt")).status == 66)
  }
}

/// A program that runs beside the test; killed with the value.
final class Background: Sendable {
  private let process: ChildProcess

  init(_ desktop: Desktop, _ product: String, _ arguments: [String]) throws {
    process = try ChildProcess(
      World.product(product),
      arguments,
      environment: desktop.environment
    )
  }

  func end() async throws -> Int32 {
    let end = try await eventually("its end") { process.poll() }
    guard case .exited(let status) = end else { return -1 }
    return status
  }
}

/// `interaction-peer` as an app that opens a file; killed with the value.
final class App: Sendable {
  private let process: ChildProcess
  private let file: SharedDescriptor
  private let input: Mutex<SharedDescriptor?>

  init(_ desktop: Desktop, _ name: String, _ program: String, _ note: String) throws {
    let (reading, writing) = try Descriptor.pipe()
    file = SharedDescriptor(try MemoryFile.empty())
    process = try ChildProcess(
      World.product("interaction-peer"),
      ["send", desktop.path(name), program, note],
      environment: desktop.environment,
      input: reading.number,
      output: file.number
    )
    input = Mutex(writing)
  }

  var lines: [String] {
    // What cannot be read is not there yet.
    let bytes =
      (try? file.with { (file) throws(SystemError) in try file.read(1 << 16, at: 0) }) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func expect(_ line: String) async throws {
    try await eventually("'\(line)' in \(lines)") { lines.contains(line) }
  }

  func end() { input.withLock { $0 = nil } }
}
