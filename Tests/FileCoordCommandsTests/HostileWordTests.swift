import LinuxSystem
import TestSupport
import Testing

/// Names that a terminal would obey, slashes where they do not belong, streams that are closed.
@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct HostileWordTests {
  let world: World
  init() throws {
    world = try World {
      File("a", "aaa")
      File("new\nline \u{1b}[31m", "red")
      Directory("real") { File("leaf", "lll") }
      Link("link", to: "real")
      Link("filelink", to: "a")
    }
  }
  private var name: String { "new\nline \u{1b}[31m" }

  private func expectOneHarmlessLine(_ text: String, _ comment: Comment? = nil) {
    #expect(text.utf8.allSatisfy { $0 >= 32 || $0 == UInt8(ascii: "\n") }, comment)
    #expect(text.split(separator: "\n").count == 1, "\(text)")
  }

  @Test func `names cannot break a line or speak to the terminal`() async throws {
    let watcher = try world.start("watch", world.path(name))
    try await watcher.expect("presenting")
    expectOneHarmlessLine(watcher.outputSoFar)

    let table = try await world.filecoord("status")
    expectOneHarmlessLine(table.lines.dropFirst().joined(separator: "\n"))
    #expect(table.output.contains("new␊line ␛[31m"))

    let failure = try await world.filecoord("rm", "\(world.path(name)) \u{9b}2J\u{202e}")
    expectOneHarmlessLine(failure.errors)
    #expect(!failure.errors.unicodeScalars.contains { $0 == "\u{9b}" || $0 == "\u{202e}" })
  }

  @Test func `what a program takes has every byte`() async throws {
    try await world.prepare(
      #"""
      n=$(printf 'bad\377\033'); : > "$n"; filecoord bookmark create "$n" mark
      test "$(filecoord bookmark resolve mark)" = "$PWD/$n"
      filecoord bookmark resolve --json mark | grep -q 'url":"file:///.*bad%FF%1B"'
      """#
    )
  }

  @Test func `a slash behind what is no directory is an error and nothing is touched`() async throws
  {
    for command in [
      "rm a/", "rm filelink/", "trash a/", "mv a/ b", "cp a/ b", "read a/ -- true",
      "write a/ -- true",
    ] {
      let result = try await world.shell("filecoord \(command)")
      #expect(result.status == 66, "\(command): \(result.errors)")
    }
    for command in ["cp real/leaf a/", "mv real/leaf a/", "mv a none/"] {
      #expect(try await world.shell("filecoord \(command)").status == 73, "\(command)")
    }
    #expect(try world.list() == ["a", "filelink", "link", name, "real"])
    #expect(try await world.shell("filecoord read real/ -- ls {}").output == "leaf\n")
  }

  @Test func `a link with a slash behind it is not taken away, nor what it leads to`() async throws
  {
    for command in ["rm -r link/", "rm -rf ./link//", "trash link/", "mv link/ elsewhere"] {
      let result = try await world.shell("filecoord \(command)")
      #expect(result.status == 1, "\(command)")
      #expect(result.errors.contains("is a link"), "\(command)")
    }
    #expect(try await world.shell("filecoord mv . ../away").status == 1)
    #expect(world.exists("real/leaf"))
    #expect(try world.list() == ["a", "filelink", "link", name, "real"])
    #expect(try await world.shell("filecoord read link/ -- ls {}").output == "leaf\n")
  }

  @Test func `a stream that is closed is not taken by a file`() async throws {
    let status = try await world.shell("filecoord status >&-")
    #expect(status.status == 1)
    #expect(status.errors.contains("Bad file descriptor"))
    let silent = try await world.shell("filecoord rm none 2>&-")
    #expect(silent.status == 66)
    // The command has them as filecoord had.
    let command = "test ! -e /proc/$$/fd/0 && test ! -e /proc/$$/fd/2 && cat {}"
    #expect(
      try await world.shell("filecoord write a -- sh -c '\(command)' <&- 2>&-").output == "aaa"
    )
  }

  @Test func `what may not be changed ends with 77`() async throws {
    #expect(try await world.asNobody("source", "set", "--name=x", world.path("a")).status == 77)
    #expect(
      try await world.asNobody("bookmark", "create", world.path("a"), world.path("mark")).status
        == 77
    )
  }
}
