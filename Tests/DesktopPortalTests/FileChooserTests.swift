import Foundation
import LinuxSystem
import SessionBus
import TestSupport
import Testing

@testable import DesktopPortal

/// The real xdg-desktop-portal on a private bus, without a display; the backend is ours.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess)) struct FileChooserTests
{
  private func open(_ title: String) -> FileChooser.Request {
    FileChooser.Request(.open(), title: title)
  }

  @Test func `statement 29: what the user picks comes back as the URL of that very file`()
    async throws
  {
    let world = try await PortalWorld()
    #expect(await world.chooser.version() ?? 0 >= 3)
    let answer = try await world.chooser.run(open("pick file:///tmp/a%20b%23c%3F%25"))
    #expect(
      answer?.urls.compactMap { FilePath(ofFileURL: $0.absoluteString) } == [
        FilePath("/tmp/a b#c?%")
      ]
    )
  }

  @Test func `statement 23: Cancel and the closed window both mean no`() async throws {
    let world = try await PortalWorld()
    #expect(try await world.chooser.run(open("cancel")) == nil)
    #expect(try await world.chooser.run(open("end")) == nil)
  }

  @Test func `statement 27: a folder that is not UTF-8 arrives as its bytes and a NUL`()
    async throws
  {
    let world = try await PortalWorld()
    var request = FileChooser.Request(.save(name: "new.txt"), title: "pick file:///tmp/new.txt")
    request.currentFolder = URL(string: "file:///tmp/%FF%20x")
    _ = try await world.chooser.run(request)
    let line = try await world.mock.expect("SaveFile ")
    #expect(line.contains("'current_name': <'new.txt'>"))
    #expect(line.contains(#"'current_folder': <b'/tmp/\377 x'>"#), "\(line)")
  }

  @Test func `filters, choices, label and parent window arrive`() async throws {
    let world = try await PortalWorld()
    var request = FileChooser.Request(
      .open(severalFiles: true, folders: false),
      title: "pick file:///a file:///b"
    )
    request.filters = [
      .init("Text", [.mimeType("text/plain"), FileChooser.Filter.glob(forExtension: "md")]),
      .init("", [.glob("*")]),
    ]
    request.currentFilter = request.filters[0]
    request.choices = [
      .init("provider", "Provider", options: [("a", "A"), ("b", "B")], initial: "b")
    ]
    request.acceptLabel = "_Take"
    request.parentWindow = "x11:1a"
    let answer = try await world.chooser.run(request)
    #expect(answer?.urls.count == 2)
    let line = try await world.mock.expect("OpenFile ")
    #expect(line.contains("parent='x11:1a'"))
    #expect(line.contains("('Text', [(uint32 1, 'text/plain'), (0, '*.[mM][dD]')])"), "\(line)")
    #expect(!line.contains("''"), "a filter without a name would be refused")
    #expect(line.contains("'multiple': <true>") && line.contains("'_Take'"))
    #expect(line.contains("('provider', 'Provider', [('a', 'A'), ('b', 'B')], 'b')"))
  }

  @Test func `statement 30: several names come back in their order, also changed`() async throws {
    let world = try await PortalWorld()
    let request = FileChooser.Request(
      .saveSeveral(names: [Array("a.txt".utf8), Array("b.txt".utf8)]),
      title: "pick file:///tmp/a(1).txt file:///tmp/b.txt"
    )
    let answer = try await world.chooser.run(request)
    #expect(answer?.urls.map(\.lastPathComponent) == ["a(1).txt", "b.txt"])
    #expect(try await world.mock.expect("SaveFiles ").contains("b'a.txt', b'b.txt'"))
    let short = FileChooser.Request(request.mode, title: "pick file:///tmp/a.txt")
    await #expect(throws: PortalError.self) { try await world.chooser.run(short) }
  }

  @Test func `statement 26: a cancelled task closes the dialog`() async throws {
    let world = try await PortalWorld()
    let (chooser, request) = (world.chooser, open("wait"))
    let task = Task { try await chooser.run(request) }
    try await world.mock.expect("waiting")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await world.mock.expect("Close")
    // The next one is not disturbed.
    #expect(try await world.chooser.run(open("pick file:///x"))?.urls.count == 1)
  }

  @Test func `twenty dialogs at once each get their own answer`() async throws {
    let world = try await PortalWorld()
    let chooser = world.chooser
    let names = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
      for number in 0..<20 {
        group.addTask {
          let request = FileChooser.Request(.open(), title: "pick file:///tmp/\(number)")
          return (number, try await chooser.run(request)?.urls.first?.lastPathComponent)
        }
      }
      return try await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
    }
    #expect(names.count == 20 && names.allSatisfy { "\($0.key)" == $0.value })
  }
}

/// Answers that the real portal never gives, and requests by themselves.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct PortalRequestTests {
  private func open(_ title: String) -> FileChooser.Request {
    FileChooser.Request(.open(), title: title)
  }

  @Test func `statement 25: tokens are letters, digits and _, and no other reaches the bus`()
    async throws
  {
    for _ in 0..<100 { #expect(PortalClient.isValid(token: PortalClient.token())) }
    let world = try await PortalWorld(.portal)
    for token in ["has-dash", "", "ü", "a/b", "a b"] {
      await #expect(throws: PortalError.self) {
        try await world.chooser.run(open("pick file:///a"), token: token)
      }
    }
    #expect(world.mock.lines.count == 1, "only that it is ready")
  }

  @Test func `statement 24: the request's path is known ahead, and the answer is not missed`()
    async throws
  {
    #expect(
      PortalClient.path(sender: ":1.42", token: "t")
        == "/org/freedesktop/portal/desktop/request/1_42/t"
    )
    // The portal of ours sends the response right behind the reply.
    let world = try await PortalWorld(.portal)
    for _ in 0..<50 {
      #expect(try await world.chooser.run(open("pick file:///a"))?.urls.count == 1)
    }
  }

  @Test func `an old portal's other path is followed where the answer comes later`() async throws {
    let world = try await PortalWorld(.portal)
    let (chooser, request) = (world.chooser, open("elsewhere file:///a"))
    let task = Task { try await chooser.run(request) }
    try await world.mock.expect("OpenFile ")
    task.cancel()
    // Its answer came before anybody could know where; what matters is that it ends.
    do { _ = try await task.value } catch is CancellationError {}
  }

  @Test func `statement 26: Close is tried again until the dialog is there`() async throws {
    let world = try await PortalWorld(.portal)
    let (chooser, request) = (world.chooser, open("late"))
    let task = Task { try await chooser.run(request) }
    try await world.mock.expect("OpenFile ")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await world.mock.expect("refused")
    try await world.mock.expect("refused")
    try await world.mock.expect("Close")
  }

  @Test func `a portal that dies while the user thinks ends the request with an error`()
    async throws
  {
    let world = try await PortalWorld(.portal)
    await #expect(throws: PortalError.self) { try await world.chooser.run(open("die")) }
  }

  @Test func `a portal that is killed while the user thinks ends the request as well`() async throws
  {
    let world = try await PortalWorld(.portal)
    let (chooser, request) = (world.chooser, open("wait"))
    let task = Task { try await chooser.run(request) }
    try await world.mock.expect("OpenFile ")
    world.mock.kill()
    await #expect(throws: PortalError.self) { try await task.value }
  }

  @Test func `answers that make no sense are errors`() async throws {
    let world = try await PortalWorld(.portal)
    for title in ["pick", "pick http://example.org/a", "pick file:relative", "pick file:///a%00b"] {
      await #expect(throws: PortalError.self, "\(title)") {
        try await world.chooser.run(open(title))
      }
    }
  }

  @Test func `without a portal, and without a bus, the error says so`() async throws {
    let directory = try TemporaryDirectory()
    #expect(throws: BusError.self) { try SessionBus(address: "unix:path=\(directory.path)/none") }
    let world = try await PortalWorld(.portal)
    world.bus.kill()
    await #expect(throws: (any Error).self) { try await world.chooser.run(open("pick file:///a")) }
    #expect(await world.chooser.version() == nil)
  }

  @Test func `values survive the bus's types`() throws {
    let all: [BusValue] = [
      .bool(true), .byte(7), .int32(-5), .uint32(5), .int64(-1 << 40), .uint64(1 << 40),
      .double(0.5),
      .string("ü\n\"'"), .path("/a/b"), .bytes([0, 1, 255]), .bytes([]), .strings([]),
      .strings(["a"]),
      .array(type: "(sb)", [.tuple([.string("x"), .bool(false)])]),
      .options(["k": .options(["inner": .variant(.uint32(1))])]),
    ]
    #expect(try BusLoopback.round(all) == all)
  }
}
