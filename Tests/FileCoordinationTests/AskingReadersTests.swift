import PeerScript
import TestSupport
import Testing

/// What presenters hear before a read: statements 22, 29 to 31, 34 and 35.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct AskingReadersTests {
  @Test func `statement 22: a presenter lets go and saves before a reader's accessor`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.read(f)))

    let heard = try await pair.p.messages(of: "P")
    #expect(heard == ["relinquishToReader", "save", "reacquire"])
    let began = try #require(pair.a.events("1", "began").first)
    let ended = try #require(pair.a.events("1", "ended").first)
    let saved = try #require(pair.p.events("P", "save").first)
    let again = try #require(pair.p.events("P", "reacquire").first)
    #expect(saved.time < began.time)
    #expect(ended.time < again.time)
  }

  @Test func `statement 22: with withoutChanges it only lets go`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run("1", .access(.read(f, Reading.withoutChanges)))

    try await pair.p.expectMessages(of: "P", ["relinquishToReader", "reacquire"])
  }

  @Test func `statement 29: the presenter of a package is asked for a read inside`() async throws {
    let pair = try await Pair { Directory("K.pkg") { File("a", "text") } }
    try await pair.p.present(PresenterScript("P", pair.world.path("K.pkg")))

    try await pair.a.run("1", .access(.read(pair.world.path("K.pkg/a"))))

    try await pair.p.expectMessages(of: "P", ["relinquishToReader", "save", "reacquire"])
  }

  @Test func `a read of a package asks the presenters inside it`() async throws {
    let pair = try await Pair { Directory("K.pkg") { File("a", "text") } }
    try await pair.p.present(PresenterScript("P", pair.world.path("K.pkg/a")))

    try await pair.a.run("1", .access(.read(pair.world.path("K.pkg"))))

    try await pair.p.expectMessages(of: "P", ["relinquishToReader", "save", "reacquire"])
  }

  @Test func `statement 30: presenters of both packages are asked, one in the other`()
    async throws
  {
    let pair = try await Pair {
      Directory("K.pkg") { Directory("L.pkg") { File("a", "text") } }
    }
    try await pair.p.present(PresenterScript("outer", pair.world.path("K.pkg")))
    try await pair.p.present(PresenterScript("inner", pair.world.path("K.pkg/L.pkg")))

    try await pair.a.run("1", .access(.read(pair.world.path("K.pkg/L.pkg/a"))))

    try await pair.p.expectMessages(of: "outer", ["relinquishToReader", "save", "reacquire"])
    try await pair.p.expectMessages(of: "inner", ["relinquishToReader", "save", "reacquire"])
  }

  @Test func `statement 31: a coordinator's own presenter hears nothing, its neighbour does`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try await pair.p.present(PresenterScript("Q", f))

    try await pair.p.run("1", .access(.read(f).presenter("P")))
    try await pair.p.run("2", .access(.write(f, 0, .put("", "new")).presenter("P")))

    try await pair.p.expectMessages(of: "P", [])
    try await pair.p.expectMessages(
      of: "Q",
      [
        "relinquishToReader", "save", "reacquire", "relinquishToWriter", "changed", "reacquire",
      ]
    )
  }

  @Test func `a coordinator made for nobody asks the presenters of its own process`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.p.run("1", .access(.read(f)))

    try await pair.p.expectMessages(of: "P", ["relinquishToReader", "save", "reacquire"])
  }

  @Test func `statement 34: a presenter without a reacquirer is not called afterwards`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).withoutReacquirer())

    try await pair.a.run("1", .access(.read(f)))

    #expect(pair.a.events("1", "done").count == 1)
    try await pair.p.expectMessages(of: "P", ["relinquishToReader", "save"])
  }

  @Test func `statement 35: everything runs on the presenter's queue, also on main`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).queue(.main))
    try await pair.p.present(PresenterScript("Q", f).queue(.named("shared")))

    try await pair.a.run("1", .access(.read(f)), .access(.write(f, Writing.forMerging)))

    // A callback that runs elsewhere says so behind its name.
    let all = [
      "relinquishToReader", "save", "reacquire", "relinquishToWriter", "save", "changed",
      "reacquire",
    ]
    try await pair.p.expectMessages(of: "P", all)
    try await pair.p.expectMessages(of: "Q", all)
  }

  @Test func `only presenters of the item are asked, not those of neighbours`() async throws {
    let pair = try await Pair {
      Directory("d") {
        File("f", "text")
        File("g", "text")
      }
    }
    for name in ["d/g", "d", "d/f/x", "d/ff"] {
      try await pair.p.present(PresenterScript(name, pair.world.path(name)))
    }

    try await pair.a.run("1", .access(.read(pair.world.path("d/f"))))

    for name in ["d/g", "d", "d/f/x", "d/ff"] {
      try await pair.p.expectMessages(of: name, [])
    }
  }
}
