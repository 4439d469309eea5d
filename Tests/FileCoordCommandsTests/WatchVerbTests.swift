import Foundation
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .tags(.multiProcess)) struct WatchVerbTests {
  let world: World
  init() throws {
    world = try World {
      File("f", "one\n")
      Directory("d") { File("inner", "iii") }
    }
  }

  private func watch(_ arguments: String...) async throws -> Tool {
    let tool = try world.startShell("exec filecoord watch \(arguments.joined(separator: " "))")
    try await tool.expect("presenting")
    return tool
  }

  /// The messages after the first line, without times.
  private func messages(_ tool: Tool) -> [String] {
    tool.linesSoFar.compactMap { line in
      let words = line.split(separator: " ")
      return words.count > 1 && words[1] != "presenting" ? String(words[1]) : nil
    }
  }

  @Test func `a coordinated write is told in the order of the specification`() async throws {
    let tool = try await watch("f")

    #expect(
      try await world.filecoord("write", world.path("f"), "--", "sh", "-c", "echo x > {}").status
        == 0
    )

    try await tool.expect("reacquire")
    #expect(
      messages(tool) == [
        "relinquishPresentedItem(toWriter:)", "presentedItemDidChange", "reacquire",
      ]
    )
  }

  @Test func `a read asks to save, unless it is without changes`() async throws {
    let tool = try await watch("f")

    #expect(try await world.filecoord("read", world.path("f"), "--", "true").status == 0)
    try await tool.expect("reacquire")
    #expect(
      messages(tool) == [
        "relinquishPresentedItem(toReader:)", "savePresentedItemChanges", "reacquire",
      ]
    )

    #expect(
      try await world.filecoord("read", "--without-changes", world.path("f"), "--", "true").status
        == 0
    )
    try await eventually("the second reacquirer") {
      messages(tool).filter { $0 == "reacquire" }.count == 2
    }
    #expect(messages(tool).filter { $0 == "savePresentedItemChanges" }.count == 1)
  }

  @Test(arguments: [
    ("merging", "savePresentedItemChanges"), ("deleting", "accommodatePresentedItemDeletion"),
    ("replacing", "accommodatePresentedItemDeletion"),
  ])
  func `what a write is for decides what is asked`(_ what: String, _ message: String) async throws {
    let tool = try await watch("f")

    let result = try await world.filecoord("write", "--for", what, world.path("f"), "--", "true")

    #expect(result.status == 0)
    try await tool.expect("reacquire")
    #expect(messages(tool).prefix(2) == ["relinquishPresentedItem(toWriter:)", message])
  }

  @Test func `a write for moving asks what is inside a directory`() async throws {
    let tool = try await watch("d/inner")

    #expect(
      try await world.filecoord("write", "--for=moving", world.path("d"), "--", "true").status == 0
    )

    try await tool.expect("relinquishPresentedItem(toWriter:)")
  }

  /// "Done means": exactly one change, no move and no deletion.
  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/vim")),
    arguments: [
      "set nobackup nowritebackup", "set backup writebackup backupcopy=no",
      "set nobackup writebackup backupcopy=auto", "set backup backupcopy=yes",
    ]
  )
  func `vim saving a file shows exactly one change`(_ settings: String) async throws {
    let tool = try await watch("f")

    let vim = try await world.shell(
      "vim -es -u NONE -c '\(settings)' -c '%s/one/two/' -c 'wq' f < /dev/null"
    )

    #expect(vim.status == 0)
    #expect(try world.contents("f") == "two\n")
    try await tool.expect("presentedItemDidChange")
    #expect(try await never(for: .milliseconds(800)) { messages(tool).count != 1 })
    #expect(messages(tool) == ["presentedItemDidChange"])
  }

  @Test func `a directory tells of what appears, changes and goes in it`() async throws {
    let tool = try await watch("--json", "d")

    try await world.prepare("echo new > d/new")
    try await tool.expect("presentedSubitemDidAppear")
    #expect(
      try await world.filecoord("write", world.path("d/inner"), "--", "sh", "-c", "echo x >> {}")
        .status == 0
    )
    let change = try await tool.expect(#""subitem":"\#(world.path("d/inner"))""#)
    #expect(change.contains("presentedSubitemDidChange"))
  }

  @Test func `every line of JSON is an object with time, message, path and URL`() async throws {
    let tool = try world.startShell(
      "n=$(printf 'x\\377 y'); touch \"$n\"; exec filecoord watch -j \"$n\""
    )
    let line = try await tool.expect("presenting")

    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    )
    #expect(object["message"] == "presenting")
    #expect(object["url"]?.hasSuffix("/x%FF%20y") == true)
    #expect(object["path"]?.hasPrefix(world.files.description) == true)
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    #expect(throws: Never.self) { try format.parse(object["time"] ?? "") }
  }

  @Test func `an interrupted watch ends with 130 and presents no more`() async throws {
    let tool = try await watch("f")

    tool.signal(.interrupt)
    let result = try await tool.end()

    #expect(result.status == 130)
    #expect(result.errors.isEmpty)
    #expect(try await world.filecoord("write", "-t10", world.path("f"), "--", "true").status == 0)
  }

  @Test func `a file that is not there yet can be watched, one without a directory not`()
    async throws
  {
    let tool = try await watch("later")
    #expect(
      try await world.filecoord("write", world.path("later"), "--", "sh", "-c", "echo x >> {}")
        .status == 0
    )
    try await tool.expect("relinquishPresentedItem(toWriter:)")

    let none = try await world.filecoord("watch", world.path("no/where"))
    #expect(none.status == 66)
  }
}
