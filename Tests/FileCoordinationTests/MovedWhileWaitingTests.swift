import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Items that move while others wait for them: statements 47 and 48.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct MovedWhileWaitingTests {
  /// A moves `from` to `to` while B waits with `access`; returns the URLs that B's accessor gets.
  private func urls(
    moving from: String,
    to: String,
    whileWaiting access: (World) -> Access
  ) async throws -> String {
    let duel = try await Duel {
      Directory("d") {
        File("f", "text")
        File("g", "text")
      }
    }
    let (old, new) = (duel.world.path(from), duel.world.path(to))
    try duel.a.start(
      "1",
      .access(.write(old, Writing.forMoving, .wait("go"), .move("", to: new, announced: true)))
    )
    try await duel.a.expect("1", "began")
    try duel.b.start("1", .access(access(duel.world)))
    try await duel.world.waiters(1)

    try duel.a.signal("go")

    let began = try await duel.b.expect("1", "began")
    try await duel.b.expect("1", "done")
    return began.text.replacing(duel.world.files.description + "/", with: "")
  }

  @Test(arguments: [Access.Form.classic, .throwing, .async, .intents])
  func `statement 47: who waits for a moved file gets its new URL`(
    _ form: Access.Form
  ) async throws {
    let url = try await urls(moving: "d/f", to: "d/h") { .write($0.path("d/f")).form(form) }

    #expect(url == "d/h")
  }

  @Test func `statement 47: a reader too`() async throws {
    #expect(try await urls(moving: "d/f", to: "d/h") { .read($0.path("d/f")) } == "d/h")
  }

  @Test func `statement 47: claims inside a moved directory follow it`() async throws {
    #expect(try await urls(moving: "d", to: "e") { .write($0.path("d/f")) } == "e/f")
  }

  @Test func `statement 48: who replaces stays at the URL that was given`() async throws {
    #expect(
      try await urls(moving: "d/f", to: "d/h") { .write($0.path("d/f"), Writing.forReplacing) }
        == "d/f"
    )
  }

  @Test func `of two items of a call only the moved one changes`() async throws {
    let urls = try await urls(moving: "d/f", to: "d/h") {
      .of([.init(.read, $0.path("d/f")), .init(.write, $0.path("d/g"))])
    }

    #expect(urls.replacing(#//[^ ]*/files//#, with: "") == "d/h d/g")
  }

  @Test func `two moves one after the other are both followed`() async throws {
    let world = try World { File("f", "text") }
    let a = try await world.peer("A")
    let b = try await world.peer("B")
    let (f, g, h) = (world.path("f"), world.path("g"), world.path("h"))
    try a.start(
      "1",
      .access(
        .write(
          f,
          Writing.forMoving,
          .wait("go"),
          .move("", to: g, announced: true),
          .move(g, to: h, announced: true)
        )
      )
    )
    try await a.expect("1", "began")
    try b.start("1", .access(.write(f)))
    try await world.waiters(1)

    try a.signal("go")

    let began = try await b.expect("1", "began")
    #expect(began.text == h)
  }

  @Test func `a claim made after the move gets the URL it asked for`() async throws {
    let duel = try await Duel { File("f", "text") }
    let (f, h) = (duel.world.path("f"), duel.world.path("h"))
    try await duel.a.run(
      "1",
      .access(.write(f, Writing.forMoving, .move("", to: h, announced: true)))
    )

    try await duel.b.run("1", .access(.write(f, 0, .put("", "another"))))

    #expect(duel.b.events("1", "began").map(\.text) == [f])
    #expect(try duel.world.contents("h") == "text")
  }

  @Test func `a coordinator of a presenter that missed a move translates its old URL`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let (f, h) = (pair.world.path("f"), pair.world.path("h"))
    // Its queue is kept busy, so that the move is on the way but not yet told.
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.signal("asked")]))
    try pair.p.start(
      "busy",
      .wait("asked"),
      .onQueue(
        of: "P",
        [
          .makeCoordinator("c", presenter: "P"), .note("busy"), .wait("moved"),
          .access(.write(f, 0, .append("", " more")).coordinator("c")),
        ]
      )
    )
    try pair.a.start(
      "1",
      .access(
        .write(
          f,
          Writing.forMoving,
          .wait("go"),
          .move("", to: h, announced: true)
        )
      )
    )
    try await pair.p.expect("busy", "note")
    try await pair.a.expect("1", "began")
    try pair.a.signal("go")
    try await pair.a.expect("1", "done")

    try pair.p.signal("moved")

    let began = try await pair.p.expect("busy", "began")
    #expect(began.text == h)
    try await pair.p.expect("busy", "done")
    #expect(try pair.world.contents("h") == "text more")
  }
}
