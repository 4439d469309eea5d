import PeerScript
import TestSupport
import Testing

/// What presenters hear before a write: statements 23 to 28.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct AskingWritersTests {
  @Test func `statement 23: a plain write asks to let go and not to save`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.write(f, 0, .put("", "new"))))

    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }

  @Test func `statement 23: forMerging asks to save, after letting go`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.write(f, Writing.forMerging, .put("", "new"))))

    try await pair.p.expectMessages(
      of: "P",
      [
        "relinquishToWriter", "save", "changed", "reacquire",
      ]
    )
    let began = try #require(pair.a.events("1", "began").first)
    let saved = try #require(pair.p.events("P", "save").first)
    #expect(saved.time < began.time)
  }

  @Test func `statement 23: metadata alone asks as a plain write does`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.write(f, Writing.metadataOnly)))

    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }

  @Test func `statement 24: a deletion asks to let go, then to accommodate`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.write(f, Writing.forDeleting, .delete(""))))

    // Ruling 4: no presentedItemDidChange for what was deleted.
    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "accommodate", "reacquire"])
    let began = try #require(pair.a.events("1", "began").first)
    let agreed = try #require(pair.p.events("P", "accommodate").first)
    #expect(agreed.time < began.time)
  }

  @Test func `statement 25: replacing a file asks its presenter to accommodate`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.write(f, Writing.forReplacing, .put("", "new"))))

    let heard = try await pair.p.messages(of: "P")
    #expect(heard.prefix(2) == ["relinquishToWriter", "accommodate"])
    #expect(heard.last == "reacquire")
  }

  @Test func `statement 26: moving a directory asks those inside to let go only`() async throws {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    try await pair.p.present(PresenterScript("P", pair.world.path("d/f")))

    try await pair.a.run("1", .access(.write(pair.world.path("d"), Writing.forMoving)))

    let heard = try await pair.p.messages(of: "P")
    #expect(heard.first == "relinquishToWriter")
    #expect(!heard.contains("accommodate"))
    #expect(!heard.contains("save"))
    #expect(heard.last == "reacquire")
  }

  @Test func `statement 26: deleting a directory asks those inside for both`() async throws {
    let pair = try await Pair { Directory("d") { Directory("e") { File("f", "text") } } }
    try await pair.p.present(PresenterScript("P", pair.world.path("d/e/f")))
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))

    let d = pair.world.path("d")
    try await pair.a.run("1", .access(.write(d, Writing.forDeleting, .delete(""))))

    #expect(
      try await pair.p.messages(of: "P").prefix(2) == ["relinquishToWriter", "accommodate"]
    )
    #expect(
      try await pair.p.messages(of: "D").prefix(2) == ["relinquishToWriter", "accommodate"]
    )
  }

  @Test func `statement 27: the presenter of a plain directory is not asked for what is inside`()
    async throws
  {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    try await pair.p.present(PresenterScript("P", pair.world.path("d")))
    let f = pair.world.path("d/f")

    try await pair.a.run("1", .access(.write(f, Writing.forDeleting, .delete(""))))

    // Statement 46 as well: the deletion arrives as a change of the deleted URL.
    try await pair.p.expectMessages(of: "P", ["subChanged \(f)"])
  }

  @Test func `statement 28: the presenter of a package is asked for a deletion inside`()
    async throws
  {
    let pair = try await Pair { Directory("K.pkg") { File("a", "text") } }
    try await pair.p.present(PresenterScript("P", pair.world.path("K.pkg")))
    let a = pair.world.path("K.pkg/a")

    try await pair.a.run("1", .access(.write(a, Writing.forDeleting, .delete(""))))

    let heard = try await pair.p.messages(of: "P")
    #expect(heard.prefix(2) == ["relinquishToWriter", "accommodateSub \(a)"])
    #expect(!heard.contains("accommodate"))
    #expect(heard.last == "reacquire")
  }

  @Test func `two items of one call are asked for together`() async throws {
    let pair = try await Pair {
      File("f", "text")
      File("g", "text")
    }
    let (f, g) = (pair.world.path("f"), pair.world.path("g"))
    try await pair.p.present(PresenterScript("F", f))
    try await pair.p.present(PresenterScript("G", g))

    try await pair.a.run("1", .access(.of([.init(.read, f), .init(.write, g)], .put("2", "new"))))

    try await pair.p.expectMessages(of: "F", ["relinquishToReader", "save", "reacquire"])
    try await pair.p.expectMessages(of: "G", ["relinquishToWriter", "changed", "reacquire"])
  }
}
