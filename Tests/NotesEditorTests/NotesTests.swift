import Foundation
import LinuxSystem
import TestSupport
import Testing

/// The real editor in real terminals.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct NotesTests {
  private let world: World
  init() throws { world = try World { File("f.txt", "first\nsecond\n") } }

  private func open(_ name: String = "f.txt", columns: Int = 80, rows: Int = 24) throws -> Terminal
  {
    try Terminal(
      World.product("notes"),
      [world.path(name)],
      environment: [
        "FILE_COORDINATION_DIR": world.runtime.description,
        "XDG_DATA_HOME": world.path("data"),
        "LANG": "C.UTF-8",
      ],
      columns: columns,
      rows: rows
    )
  }

  private func contents(of name: String = "f.txt", become text: String) async throws {
    try await eventually("“\(text)” in the file") { try self.world.contents(name) == text }
  }

  @Test func `a file is shown, edited, saved by itself, and quit`() async throws {
    let notes = try open()
    try await notes.shows("second")
    try await notes.shows("f.txt — saved")
    try notes.type("new ")
    try await notes.shows("new first")
    try await notes.shows("edited")
    try await contents(become: "new first\nsecond\n")  // two seconds later
    try await notes.shows("saved")
    try notes.press("End")
    try notes.type("!")
    try notes.press("C-q")
    try await eventually("the end") { !notes.isRunning }
    #expect(try world.contents("f.txt") == "new first!\nsecond\n")
  }

  @Test func `a file that is not there is made`() async throws {
    let notes = try open("new.txt")
    try await notes.shows("new.txt — saved")
    try notes.type("hello")
    try notes.press("C-s")
    try await contents(of: "new.txt", become: "hello")
  }

  @Test func `undo takes back what was typed in one run, and redo makes it again`() async throws {
    let notes = try open()
    try await notes.shows("saved")
    try notes.type("one two")
    try await notes.shows("one twofirst")
    try notes.press("C-z")
    try await notes.shows("one first")
    try notes.press("C-z")
    try notes.press("C-z")
    try await eventually("as it was") { try notes.screen.first == "first" }
    try await notes.shows("saved")
    try notes.press("C-y")
    try notes.press("C-y")
    try await notes.shows("one first")
    try notes.press("C-k")
    try await eventually("the line gone") { try notes.screen.first == "second" }
    try notes.press("C-z")
    try await notes.shows("one first")
  }

  @Test func `wide characters and marks are shown, passed and deleted as one`() async throws {
    try world.put("f.txt", "漢字e\u{301}x\n")
    let notes = try open()
    try await notes.shows("漢字e\u{301}x")
    try notes.press("Right", "Right", "Right")
    try await eventually("the cursor behind three characters") { try notes.cursor == "5,0" }
    try notes.press("BSpace")
    try await notes.shows("漢字x")
    try notes.type("ü語")
    try await notes.shows("漢字ü語x")
    try notes.press("C-s")
    try await contents(become: "漢字ü語x\n")
  }

  @Test func `the screen follows the terminal's size`() async throws {
    try world.put("f.txt", (1...50).map { "line \($0)\n" }.joined())
    let notes = try open(columns: 40, rows: 10)
    try await notes.shows("line 9")
    try notes.resize(columns: 60, rows: 20)
    try await notes.shows("line 19")
    try notes.resize(columns: 20, rows: 5)
    try await eventually("four lines and the status") {
      let screen = try notes.screen
      return screen[3] == "line 4" && screen[4].contains("f.txt")
    }
    try notes.press("PageDown", "PageDown")
    try await notes.shows("line 7")
    try notes.resize(columns: 60, rows: 20)
    try await notes.shows("line 20")
  }

  @Test func `what another program writes is shown when nothing was edited`() async throws {
    let notes = try open()
    try await notes.shows("saved")
    try world.put("f.txt", "theirs\n")
    try await notes.shows("theirs")
    #expect(try !notes.screen.contains { $0.contains("CONFLICT") })
  }

  private func makeConflict(_ notes: Terminal) async throws {
    try await notes.shows("saved")
    try notes.type("mine ")
    try await notes.shows("edited")
    try world.put("f.txt", "theirs\n")
    try await notes.shows("CONFLICT")
    #expect(try world.contents("f.txt") == "theirs\n")
  }

  @Test func `in a conflict ours can be kept`() async throws {
    let notes = try open()
    try await makeConflict(notes)
    try notes.press("C-o")
    try await contents(become: "mine first\nsecond\n")
    try await notes.shows("kept yours")
    #expect(try notes.screen.first == "mine first")
  }

  @Test func `in a conflict both can be compared, and theirs be kept`() async throws {
    let notes = try open()
    try await makeConflict(notes)
    try notes.press("C-d")
    try await notes.shows("- mine first")
    try await notes.shows("+ theirs")
    try notes.press("Escape")
    try await notes.shows("CONFLICT")
    try notes.press("C-t")
    try await notes.shows("kept theirs")
    #expect(try notes.screen.first == "theirs")
    #expect(try world.contents("f.txt") == "theirs\n")
    // And typing goes on.
    try notes.press("C-a")
    try notes.type("more ")
    try notes.press("C-s")
    try await contents(become: "more theirs\n")
  }

  @Test func `two editors on one file lose nobody's text`() async throws {
    let (a, b) = (try open(), try open())
    try await a.shows("saved")
    try await b.shows("saved")
    try a.type("from a ")
    try a.press("C-s")
    try await b.shows("from a first")
    try b.press("Down")
    try b.type("from b ")
    try b.press("C-s")
    try await a.shows("from b second")
    try await contents(become: "from a first\nfrom b second\n")
    // Both at once: whoever comes second has a conflict, or had saved before.
    try a.type("A")
    try b.type("B")
    try a.press("C-s")
    try b.press("C-s")
    try await eventually("both texts somewhere") {
      let all = try a.screen + b.screen
      let text = try self.world.contents("f.txt")
      let inFile = [text.contains("A"), text.contains("B")]
      let isConflict = all.contains { $0.contains("CONFLICT") }
      return inFile == [true, true] || (inFile.contains(true) && isConflict)
    }
    // In a conflict the text that is not in the file can be had: from the editor that has another
    // text than the one that was kept; the other one says that it has the kept one.
    let isConflict = try [a, b].contains { try $0.screen.contains { $0.contains("CONFLICT") } }
    guard isConflict else { return }
    try await eventually("both texts beside each other") {
      try [a, b].contains { try compares($0, "A", "B") || compares($0, "B", "A") }
    }
  }

  /// Whether an editor shows both texts, asking it to if it has a conflict and does not yet.
  private func compares(_ notes: Terminal, _ mine: String, _ theirs: String) throws -> Bool {
    let screen = try notes.screen
    if screen.contains(where: { $0.contains("any key goes back") }) {
      return screen.contains { $0.hasPrefix("- ") && $0.contains(mine) }
        && screen.contains { $0.hasPrefix("+ ") && $0.contains(theirs) }
    }
    if screen.contains(where: { $0.contains("CONFLICT") }) { try notes.press("C-d") }
    return false
  }

  @Test func `a conflict that one editor settles is none the less the other's`() async throws {
    let (a, b) = (try open(), try open())
    try await a.shows("saved")
    try await b.shows("saved")
    // B has unsaved text; A saves under it, and says that A's text it shall be.
    try b.type("unsaved ")
    try await b.shows("edited")
    try a.type("saved ")
    try a.press("C-s")
    try await b.shows("CONFLICT")
    try await a.shows("CONFLICT")
    try a.press("C-o")
    try await a.shows("kept yours")
    // B knows nothing of that decision: its text still stands against A's, and neither is lost.
    try await b.shows("CONFLICT")
    try b.press("C-d")
    try await b.shows("- unsaved first")
    try await b.shows("+ saved first")
    #expect(try world.contents("f.txt") == "saved first\nsecond\n")
  }

  @Test func `ten megabytes are edited at the end, undone and saved`() async throws {
    let lines = (0..<200_000).map { String(format: "%049d\n", $0) }.joined()
    try world.put("f.txt", lines)
    let notes = try open()
    try await notes.shows("saved")
    try notes.press("C-e")
    try await notes.shows("200001:1")
    try notes.type("the end")
    try await notes.shows("the end")
    try notes.press("C-s")
    try await contents(become: lines + "the end")
    try notes.press("C-z", "C-z", "C-z")
    try await notes.shows("200001:1")
    try notes.press("C-s")
    try await contents(become: lines)
  }

  @Test func `a killed editor leaves a whole file, and the next one opens it`() async throws {
    let notes = try open()
    try await notes.shows("saved")
    try notes.type("x")
    try notes.press("C-s")
    try await contents(become: "xfirst\nsecond\n")
    _ = notes
    let again = try open()
    try await again.shows("xfirst")
  }

  @Test func `a termination saves first`() async throws {
    let notes = try open()
    try await notes.shows("saved")
    try notes.type("kept ")
    try await notes.shows("edited")
    let pid = try #require(Int32(try notes.programID))
    #expect(Signal.terminate.send(to: pid))
    try await eventually("the end") { !notes.isRunning }
    #expect(try world.contents("f.txt") == "kept first\nsecond\n")
  }
}
