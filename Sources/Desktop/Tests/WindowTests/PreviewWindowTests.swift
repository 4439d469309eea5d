import Foundation
import Testing

extension WindowTests {
  /// `preview-window` on a display of its own; keys come from xdotool, what it shows from its log.
  @Suite(.timeLimit(.minutes(2)), .serialized) struct PreviewWindowTests {
    private static let page = """
      %PDF-1.4
      1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
      2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
      3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
      4 0 obj<</Length 49>>stream
      BT /F 24 Tf 56 94 Td (A page of a PDF) Tj ET
      endstream endobj
      5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
      trailer<</Root 1 0 R>>

      """

    @Test func `pictures, text, pages and folders are shown, one after the other`() async throws {
      let display = try Display()
      try await display.putPicture("sunset.png", width: 640, height: 400)
      try display.put(
        "latin.txt",
        Data("Gr\u{fc}\u{df}e in an older encoding\n".unicodeScalars.map { UInt8($0.value) })
      )
      try display.put("page.pdf", Self.page)
      try FileManager.default.createDirectory(
        at: display.files.appending(path: "folder/inside"),
        withIntermediateDirectories: true
      )
      let names = ["sunset.png", "latin.txt", "page.pdf", "folder"]
      let shown = try display.start(
        "preview-window",
        display.path("sunset.png"),
        display.path("latin.txt"),
        URL(filePath: display.path("page.pdf")).absoluteString,
        display.path("folder")
      )
      let expected = [
        "picture 640x400 sunset.png",
        "text Windows-1252 whole latin.txt: Grüße in an older encoding",
        "picture page page.pdf",
        "facts inode/directory folder: -",
      ]
      for (name, line) in zip(names, expected) {
        try await shown.shows(line)
        try await display.window(name)
        try await display.shoot("preview-\(name)")
        if name != "folder" { try await display.press("Right", in: name) }
      }
      try await display.press("Left", in: "folder")
      try await display.window("page.pdf")
      #expect(try await display.close(shown, by: "Escape", in: "page.pdf") == 0)
    }

    @Test func `it follows what other programs do to the file`() async throws {
      let display = try Display()
      try display.put("notes.txt", "first\n")
      let shown = try display.start("preview-window", display.path("notes.txt"))
      try await shown.shows("text ASCII whole notes.txt: first")
      try await display.run("/bin/sh", "-c", "echo second > '\(display.path("notes.txt"))'")
      try await shown.shows("notes.txt: second")
      try await display.run("/bin/mv", display.path("notes.txt"), display.path("moved.txt"))
      try await shown.shows("text ASCII whole moved.txt: second")
      try await display.window("moved.txt")
      try await display.run("/bin/rm", display.path("moved.txt"))
      try await shown.shows("deleted moved.txt")
      try await display.shoot("preview-deleted")
      #expect(shown.isRunning)
      try await display.run("/bin/sh", "-c", "echo third > '\(display.path("moved.txt"))'")
      try await shown.shows("moved.txt: third")
      #expect(try await display.close(shown, by: "space", in: "moved.txt") == 0)
    }

    @Test func `a coordinated deletion is told, too`() async throws {
      let display = try Display()
      try display.put("notes.txt", "first\n")
      let shown = try display.start("preview-window", display.path("notes.txt"))
      try await shown.shows("notes.txt: first")
      try await display.run(try Display.product("filecoord"), "rm", display.path("notes.txt"))
      try await shown.shows("deleted notes.txt")
      #expect(shown.isRunning)
    }

    @Test(arguments: ["bomb.ppm", "cut.png", "sparse.txt", "evil.svg"])
    func `a hostile file fails its own preview, and the window lives`(name: String) async throws {
      let display = try Display()
      switch name {
      case "bomb.ppm": try display.put(name, "P6\n60000 60000\n255\nxyz")
      case "cut.png":
        try await display.putPicture("whole.png", width: 300, height: 300)
        try display.put(
          name,
          try Data(contentsOf: display.files.appending(path: "whole.png")).prefix(90)
        )
      case "sparse.txt": try await display.run("/usr/bin/truncate", "-s", "1G", display.path(name))
      default: try display.put(name, "<svg xmlns='http://www.w3.org/2000/svg'><image href='")
      }
      let shown = try display.start("preview-window", display.path(name))
      // A picture that is none may still be a text.
      try await shown.shows(name == "evil.svg" ? "evil.svg" : "\(name): It cannot be shown")
      try await display.shoot("hostile-\(name)")
      try display.put(name, "")
      try await shown.shows("\(name.hasSuffix("txt") ? "text ASCII whole" : "") \(name)")
      #expect(shown.isRunning)
      #expect(try await display.close(shown, by: "q", in: name) == 0)
    }

    @Test func `names and text cannot play tricks`() async throws {
      let display = try Display()
      let name = "invoice\u{202e}fdp.txt"
      try display.put(name, "one\u{0}two\u{1b}[2J \(String(repeating: "x", count: 200_000))\n")
      try display.put("bidi\u{202e}cba.md", "a\u{1b}]0;b\n")
      let shown = try display.start("preview-window", display.path("bidi\u{202e}cba.md"))
      try await display.window("bidi\u{fffd}cba.md")
      try await display.shoot("tricks")
      #expect(shown.isRunning)
      let other = try display.start("preview-window", display.path(name))
      try await display.window("invoice\u{fffd}fdp.txt")
      #expect(other.isRunning)
    }

    @Test func `what is not there is said, wrong use ends with a message`() async throws {
      let display = try Display()
      let shown = try display.start("preview-window", display.path("nowhere.txt"))
      try await shown.shows("failure nowhere.txt: It cannot be shown")
      try await display.shoot("preview-missing")
      #expect(try await display.start("preview-window").ends() == 64)
      #expect(try await display.start("preview-window", "--nonsense").ends() == 64)
    }

    @Test func `the command has its window shown by it`() async throws {
      let display = try Display()
      try await display.putPicture("dot.png", width: 40, height: 30)
      try await display.run(
        try Display.product("filecoord"),
        "preview",
        "--window",
        display.path("dot.png")
      )
      try await display.press("Escape", in: "dot.png")
      try await eventually("it is gone") { await display.windows("dot.png").isEmpty ? true : nil }
    }
  }
}
