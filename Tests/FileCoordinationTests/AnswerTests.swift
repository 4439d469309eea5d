import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// How presenters answer: statements 32, 33 and 36, field cases A07 and A13.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct AnswerTests {
  @Test func `statement 32: without an answer the accessor waits until cancel`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.neverAnswer]))
    try pair.a.start("1", .access(.write(f).coordinator("c")))
    try await pair.p.expect("P", "relinquishToWriter")
    #expect(try await pair.a.stays(without: "1", "began"))

    try await pair.a.run("2", .cancel(coordinator: "c"))

    let failed = try await pair.a.expect("1", "failed")
    #expect(failed.text.hasPrefix(cancelled))
    #expect(pair.a.events("1", "began").isEmpty)
  }

  @Test(arguments: [PresenterScript.Callback.save, .accommodate])
  func `statement 33: an error in the answer fails the access`(
    _ callback: PresenterScript.Callback
  ) async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(callback, [.answerError(domain: "org.example", code: 7)])
    )
    let access = callback == .save ? Access.read(f) : .write(f, Writing.forDeleting)

    try await pair.a.run("1", .access(access))

    let failed = try await pair.a.expect("1", "failed")
    #expect(failed.text == "org.example 7 scripted refusal")
    #expect(pair.a.events("1", "began").isEmpty)
    try await pair.p.expect("P", "reacquire")
    let heard = try await pair.p.messages(of: "P")
    #expect(!heard.contains("changed"))
    #expect(heard.filter { $0 == "reacquire" }.count == 1)
  }

  @Test func `an error of one presenter gives the others their reacquirer`() async throws {
    let pair = try await Pair { File("f", "text") }
    let q = try await pair.world.peer("Q")
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(.save, [.answerError(domain: "org.example", code: 7)])
    )
    try await q.present(PresenterScript("Q", f))

    try await pair.a.run("1", .access(.read(f)))

    try await pair.a.expect("1", "failed")
    try await q.expect("Q", "reacquire")
  }

  @Test func `statement 36: a presenter saves through its own coordinator while asked to`()
    async throws
  {
    let pair = try await Pair { File("f", "old") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(
        .save,
        [.access(.write(f, 0, .put("", "saved")).presenter("P"))]
      )
    )

    let start = MonotonicInstant.now
    try await pair.a.run("1", .access(.read(f, 0, .get(""))))

    // Whoever waits looks again after two seconds in any case.
    #expect(MonotonicInstant.now - start < .seconds(1.5))
    #expect(pair.a.events("1", "text").map(\.text) == ["saved"])
    try await pair.p.expectMessages(of: "P", ["relinquishToReader", "save", "reacquire"])
  }

  @Test func `a presenter may save asynchronously, from another thread`() async throws {
    let pair = try await Pair { File("f", "old") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(
        .save,
        [.answerLater("now", [.access(.write(f, 0, .put("", "saved")).presenter("P"))])]
      )
    )
    try pair.a.start("1", .access(.read(f, 0, .get(""))))
    try await pair.p.expect("P", "save")

    try pair.p.signal("now")

    try await pair.a.expect("1", "finished")
    #expect(pair.a.events("1", "text").map(\.text) == ["saved"])
  }

  @Test func `a presenter that must write to let go gets through`() async throws {
    let pair = try await Pair { File("f", "old") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(
        .relinquishToWriter,
        [.access(.write(f, 0, .put("", "mine")).presenter("P"))]
      )
    )

    try await pair.a.run("1", .access(.write(f, 0, .get(""), .put("", "theirs"))))

    #expect(pair.a.events("1", "text").map(\.text) == ["mine"])
    #expect(try pair.world.contents("f") == "theirs")
  }

  @Test func `two presenters of one file both save while asked to`() async throws {
    let pair = try await Pair { File("f", "") }
    let q = try await pair.world.peer("Q")
    let f = pair.world.path("f")
    for (peer, name) in [(pair.p, "P"), (q, "Q")] {
      try await peer.present(
        PresenterScript(name, f).on(
          .save,
          [.access(.write(f, 0, .append("", name)).presenter(name))]
        )
      )
    }

    try await pair.a.run("1", .access(.read(f, 0, .get(""))))

    let text = try #require(pair.a.events("1", "text").first)
    #expect(text.text.sorted() == ["P", "Q"])
  }

  @Test func `field case A07: a presenter's timer waits for the writer it let go for`()
    async throws
  {
    let pair = try await Pair { File("f", "") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try pair.a.start("1", .access(.write(f, 0, .wait("go"), .append("", "writer "))))
    try await pair.a.expect("1", "began")

    try pair.p.start("timer", .access(.write(f, 0, .append("", "presenter")).presenter("P")))
    try await pair.p.expect("timer", "calling")
    #expect(try await pair.p.stays(without: "timer", "began"))
    try pair.a.signal("go")

    let left = try await pair.a.expect("1", "ended")
    let came = try await pair.p.expect("timer", "began")
    try await pair.p.expect("timer", "done")
    #expect(left.time < came.time)
    #expect(try pair.world.contents("f") == "writer presenter")
  }

  @Test func `field case A07: the timer fires while the presenter lets go`() async throws {
    let pair = try await Pair { File("f", "") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.signal("timer")]))
    try pair.p.start(
      "timer",
      .wait("timer"),
      .access(.write(f, 0, .append("", "presenter ")).presenter("P"))
    )

    try await pair.a.run("1", .access(.write(f, 0, .append("", "writer "))))

    try await pair.p.expect("timer", "done")
    let text = try pair.world.contents("f")
    #expect(text.split(separator: " ").sorted() == ["presenter", "writer"])
  }

  @Test func `field case A13: let go, save, accessor, notice and reacquirer come in order`()
    async throws
  {
    let pair = try await Pair { File("f", "old") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(
        .save,
        [.access(.write(f, 0, .put("", "unsaved")).presenter("P"))]
      )
    )

    try await pair.a.run("1", .access(.write(f, Writing.forMerging, .put("", "bytes of B"))))

    try await pair.p.expectMessages(
      of: "P",
      [
        "relinquishToWriter", "save", "changed", "reacquire",
      ]
    )
    let times = [
      pair.p.events("P", "save").first, pair.a.events("1", "began").first,
      pair.a.events("1", "ended").first, pair.p.events("P", "changed").first,
      pair.p.events("P", "reacquire").first,
    ].compactMap { $0?.time }
    #expect(times.count == 5)
    #expect(times == times.sorted())
    #expect(try pair.world.contents("f") == "bytes of B")
  }
}
