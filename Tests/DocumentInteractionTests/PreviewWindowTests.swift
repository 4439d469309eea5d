import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import DocumentInteraction

/// Who shows previews on a desktop; the window itself is tried by `Sources/Desktop`.
@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess))
struct PreviewWindowTests {
  @Test func `preview-window is started with the file's URL, and not waited for`() async throws {
    let desktop = try Desktop { File("a b.txt", "text\n") }
    try desktop.installTool("preview-window", "echo \"$1\" > '\(desktop.path("shown"))'; sleep 60")
    let result = try await desktop.filecoord(
      "preview",
      "--window",
      desktop.path("a b.txt"),
      extra: ["DISPLAY=:99"]
    )
    #expect(result.status == 0)
    #expect(result.output == "" && result.errors == "")
    let url = "file://\(desktop.path("a b.txt"))\n".replacingOccurrences(of: " ", with: "%20")
    try await eventually("it was started") {
      desktop.world.exists("shown") && (try? desktop.world.contents("shown")) == url
    }
  }

  @Test(arguments: ["", "DISPLAY=:99"])
  func `without a window the item is shown in the terminal, and why is said`(display: String)
    async throws
  {
    let desktop = try Desktop { File("a.txt", "first line\n") }
    let result = try await desktop.filecoord(
      "preview",
      "--window",
      desktop.path("a.txt"),
      extra: display.isEmpty ? [] : [display]
    )
    #expect(result.status == 0)
    #expect(result.output.contains("first line"))
    #expect(
      result.errors.contains(display.isEmpty ? "no display is there" : "no previewer is there")
    )
  }

  @Test func `the sample wants a display for a window`() async throws {
    let desktop = try Desktop {}
    let program = try World.product("docinteraction").description
    let without = try await desktop.run(program, "--window", desktop.path(""))
    #expect(without.status == 1)
    #expect(without.errors.contains("there is no display"))
    let missing = try await desktop.run(
      program,
      ["--window", desktop.path("")],
      ["DISPLAY=:99"]
    )
    #expect(missing.status == 1)
    #expect(missing.errors.contains("docinteraction-window is not installed"))
    #expect(try await desktop.run(program, "--window", "--terminal", desktop.path("")).status == 64)
  }

  @Test func `the sample becomes the window's program where there is a display`() async throws {
    let desktop = try Desktop {}
    try desktop.installTool("docinteraction-window", "echo \"$$ $1\"; exit 7")
    let program = try World.product("docinteraction").description
    let result = try await desktop.run(program, [desktop.path("")], ["WAYLAND_DISPLAY=w"])
    #expect(result.status == 7)
    #expect(result.output.hasSuffix(" file://\(desktop.world.files)/\n"))
  }

  @Test func `what is loaded for a window is read under coordination`() async throws {
    let world = try World {
      File("a.txt", "text")
      File("cut.png", "\u{89}PNG")
      File("zeros.txt", String(repeating: "\0", count: 100))
    }
    let text = try await DocumentPreview.load(URL(fileURLWithPath: world.path("a.txt")))
    guard case .text("text", _, true) = text.content else {
      Issue.record("no text")
      return
    }
    #expect(text.failure == nil)
    for name in ["cut.png", "zeros.txt"] {
      let hostile = try await DocumentPreview.load(URL(fileURLWithPath: world.path(name)))
      #expect(hostile.failure?.contains("cannot be shown") == true)
    }
    let folder = try await DocumentPreview.load(URL(fileURLWithPath: world.path("")))
    #expect(folder.failure == nil)
    await #expect(throws: SystemError.self) {
      try await DocumentPreview.load(URL(fileURLWithPath: world.path("nowhere")))
    }
  }
}
