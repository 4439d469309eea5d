import PeerScript
import TestSupport
import Testing

/// Adding, removing and moving presenters: statements 55 to 57, field cases B01 and B06.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct RegistrationTests {
  @Test func `statement 55: a presenter without a URL is found once its own write made the file`()
    async throws
  {
    let pair = try await Pair {}
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", nil))

    try await pair.p.run(
      "1",
      .access(.write(f, 0, .put("", "text"), .adopt("P", f)).presenter("P"))
    )
    try await pair.a.run("1", .access(.write(f, 0, .put("", "new"))))

    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }

  @Test func `statement 56: added inside its own read, it misses no writer`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try pair.p.start(
      "1",
      .access(.read(f, 0, .wait("go"), .present(PresenterScript("P", f))))
    )
    try await pair.p.expect("1", "began")
    try pair.a.start("1", .access(.write(f)))
    try await pair.world.waiters(1)

    try pair.p.signal("go")

    let began = try await pair.a.expect("1", "began")
    let asked = try await pair.p.expect("P", "relinquishToWriter")
    #expect(asked.time < began.time)
  }

  @Test func `statement 57: removed before the access ends, its reacquirer is not called`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try pair.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await pair.a.expect("1", "began")

    try await pair.p.run("1", .withdraw("P"))
    try pair.a.signal("go")
    try await pair.a.expect("1", "done")

    try await pair.p.expectMessages(of: "P", ["relinquishToWriter"])
    #expect(try await pair.p.stays(without: "P", "reacquire"))
  }

  @Test func `removed, it hears nothing any more`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try await pair.p.run("1", .withdraw("P"))

    try await pair.a.run("1", .access(.write(f, 0, .put("", "new"))))

    try await pair.p.expectMessages(of: "P", [])
  }

  @Test func `ruling 5: added twice, it counts twice`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    let script = PresenterScript("P", f)
    try await pair.p.present(script)
    try await pair.p.present(script)

    try await pair.p.run("1", .withdraw("P"))
    try await pair.a.run("1", .access(.write(f)))
    #expect(try await pair.p.messages(of: "P").contains("relinquishToWriter"))

    try await pair.p.run("2", .withdraw("P"))
    let before = try await pair.p.messages(of: "P").count
    try await pair.a.run("2", .access(.write(f)))
    #expect(try await pair.p.messages(of: "P").count == before)
  }

  @Test func `field case B06: removing twice or what was never added is harmless`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.p.run("1", .withdraw("P"), .withdraw("P"), .withdraw("P"))

    try await pair.a.run("1", .access(.write(f)))
    #expect(pair.a.events("1", "done").count == 1)
  }

  @Test func `ruling 1: the registry does not keep a presenter alive`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.p.run("1", .forget("P"))

    try await pair.p.expect("P", "deinit")
    try await pair.a.run("1", .access(.write(f)))
    #expect(pair.a.events("1", "done").count == 1)
  }

  @Test func `field case B06: presenters that leave in deinit, while changes pour in`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try pair.a.start("1", .times(200, [.access(.write(f, 0, .put("", "new")).quiet)]))

    try await pair.p.run("1", .churnPresenters(f, count: 1000))

    try await pair.a.expect("1", "finished", within: .seconds(40))
    #expect(pair.p.end == nil)
    #expect(pair.p.events("churn", "messagedAfterEnd").isEmpty)
    #expect(pair.a.events("1", "failed").isEmpty)
  }

  @Test func `field case B01: a presenter of a directory follows it and hears of what is inside`()
    async throws
  {
    let pair = try await Pair { Directory("d") { File("f", "text") } }
    let (d, e) = (pair.world.path("d"), pair.world.path("e"))
    try await pair.p.present(PresenterScript("P", d))
    try await pair.a.run(
      "1",
      .access(.write(d, Writing.forMoving, .move("", to: e, announced: true)))
    )
    let moved = try await pair.p.expect("P", "moved")
    #expect(moved.text == e)

    try await pair.a.run("2", .access(.write("\(e)/f", 0, .put("", "coordinated"))))
    let first = try await pair.p.expect("P", "subChanged")
    #expect(first.text == "\(e)/f")

    try pair.world.put("e/f", "by a stranger")
    let second = try await pair.p.expect("P", "subChanged")
    #expect(second.text == "\(e)/f")
  }

  @Test func `a presenter of a moved file is asked at its new place`() async throws {
    let pair = try await Pair { File("f", "text") }
    let (f, g) = (pair.world.path("f"), pair.world.path("g"))
    try await pair.p.present(PresenterScript("P", f))
    try await pair.a.run(
      "1",
      .access(.write(f, Writing.forMoving, .move("", to: g, announced: true)))
    )
    try await pair.p.expect("P", "moved")
    let before = try await pair.p.messages(of: "P").count

    try await pair.a.run("2", .access(.write(g, 0, .put("", "new"))))
    try await pair.a.run("3", .access(.write(f, 0, .put("", "another"))))

    let heard = try await pair.p.messages(of: "P").dropFirst(before)
    #expect(heard.filter { $0 == "relinquishToWriter" }.count == 1)
    #expect(heard.filter { $0 == "changed" }.count == 1)
  }
}
