import PeerScript
import TestSupport
import Testing

/// Presenters that do not answer, are stopped, or die; askers that die.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess, .crash))
struct SilentPresenterTests {
  @Test func `a silent presenter is an error that names its process`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.neverAnswer]))

    try await pair.a.run("1", .presenterLimit(0.5), .timed([.access(.write(f))]))

    let failed = try await pair.a.expect("1", "failed")
    #expect(failed.text.contains("\(pair.p.pid)"))
    #expect(pair.a.events("1", "began").isEmpty)
    let took = try #require(pair.a.events("1", "took").first.flatMap { Int($0.text) })
    #expect(took >= 490)
  }

  @Test func `after one failure a silent presenter is given a second only`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.neverAnswer]))
    try await pair.a.run("1", .presenterLimit(2), .access(.write(f)))
    #expect(pair.a.events("1", "failed").count == 1)

    try await pair.a.run("2", .presenterLimit(30), .timed([.access(.write(f))]))

    #expect(pair.a.events("2", "failed").count == 1)
    let took = try #require(pair.a.events("2", "took").first.flatMap { Int($0.text) })
    #expect(took < 10_000)
  }

  @Test func `without a limit a slow presenter is waited for`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.wait("answer")]))
    try pair.a.start("1", .presenterLimit(nil), .access(.write(f)))
    try await pair.p.expect("P", "waiting")
    #expect(try await pair.a.stays(without: "1", "began", for: .seconds(3)))

    try pair.p.signal("answer")

    try await pair.a.expect("1", "done")
  }

  @Test func `a stopped presenter is passed over, and told when it comes back`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try await pair.p.stop()

    try await pair.a.run("1", .timed([.access(.write(f, 0, .put("", "new")))]))

    #expect(pair.a.events("1", "done").count == 1)
    let took = try #require(pair.a.events("1", "took").first.flatMap { Int($0.text) })
    #expect(took >= 1500)
    #expect(took < 15_000)
    pair.p.resume()
    try await pair.p.expect("P", "changed")
  }

  @Test func `a presenter that dies while it is asked counts as having answered`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.neverAnswer]))
    try pair.a.start("1", .access(.write(f)))
    try await pair.p.expect("P", "relinquishToWriter")

    pair.p.kill()

    try await pair.a.expect("1", "done", within: .seconds(10))
  }

  @Test func `a presenter that died before is not waited for`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    pair.p.kill()

    try await pair.a.run("1", .timed([.access(.write(f))]))

    #expect(pair.a.events("1", "done").count == 1)
    let took = try #require(pair.a.events("1", "took").first.flatMap { Int($0.text) })
    #expect(took < 2000)
  }

  @Test func `a presenter that dies in its own write while asked frees the asker`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(.save, [.access(.write(f, 0, .wait("never")).presenter("P"))])
    )
    try pair.a.start("1", .access(.read(f)))
    try await pair.p.expect("P", "began")

    pair.p.kill()

    try await pair.a.expect("1", "done", within: .seconds(10))
  }

  @Test func `an asker that dies before its accessor gives the item back`() async throws {
    let pair = try await Pair { File("f", "text") }
    let q = try await pair.world.peer("Q")
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try await q.present(PresenterScript("Q", f).on(.relinquishToWriter, [.neverAnswer]))
    try pair.a.start("1", .access(.write(f)))
    try await pair.p.expect("P", "relinquishToWriter")
    try await q.expect("Q", "relinquishToWriter")

    pair.a.kill()

    try await pair.p.expect("P", "reacquire")
    #expect(try await !pair.p.messages(of: "P").contains("changed"))
  }

  @Test func `an asker that dies in its accessor means a change for those it asked`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try pair.a.start("1", .access(.write(f, 0, .wait("never"))))
    try await pair.a.expect("1", "began")

    pair.a.kill()

    try await pair.p.expect("P", "reacquire")
    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }

  /// Also one that ends itself there, as a script's `exit` does.
  @Test func `an asker that dies in its accessor: whoever was not asked is told what it did`()
    async throws
  {
    let pair = try await Pair {
      Directory("d") {
        File("f", "text")
        File("old", "text")
      }
    }
    let (f, old, new) = (pair.world.path("d/f"), pair.world.path("d/old"), pair.world.path("d/new"))
    try await pair.p.present(PresenterScript("D", pair.world.path("d")))
    let write = Access.of(
      [.init(.write, f), .init(.write, old), .init(.write, new)],
      .put(f, "half"),
      .move(old, to: new, announced: false),
      .wait("never")
    ).form(.intents)
    try pair.a.start("1", .access(write))
    try await eventually("it wrote") { pair.world.exists("d/new") }

    pair.a.kill()

    try await pair.p.expect("D", "subChanged")
    try await pair.p.expect("D", "subMoved")
  }

  @Test func `a late answer to an asker that gave up gets its reacquirer at once`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.relinquishToWriter, [.wait("late")]))
    try pair.a.start("1", .access(.write(f).coordinator("c")))
    try await pair.p.expect("P", "waiting")
    try await pair.a.run("2", .cancel(coordinator: "c"))
    try await pair.a.expect("1", "failed")
    #expect(pair.p.events("P", "reacquire").isEmpty)

    try pair.p.signal("late")

    try await pair.p.expect("P", "reacquire")
  }

  @Test func `a stopped asker does not keep others out for ever`() async throws {
    let pair = try await Pair { File("f", "text") }
    let b = try await pair.world.peer("B")
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.save, [.answerLater("answer", [])]))
    try pair.a.start("1", .access(.read(f)))
    try await pair.p.expect("P", "save")
    // A keeps the gate while it asks; it is stopped there.
    try await pair.a.stop()

    try await b.run("1", .access(.read(f, Reading.withoutChanges)))

    #expect(b.events("1", "done").count == 1)
    pair.a.resume()
    try pair.p.signal("answer")
    try await pair.a.expect("1", "done")
  }

  @Test func `a presenter that writes inside what its asker is moving is told the cycle`()
    async throws
  {
    let pair = try await Pair {
      Directory("d") { File("x", "0") }
      File("f", "text")
    }
    let (d, f) = (pair.world.path("d"), pair.world.path("f"))
    try await pair.p.present(
      PresenterScript("P", f).on(
        .relinquishToWriter,
        [.access(.write(d + "/x", 0, .put("", "1")).presenter("P"))]
      )
    )

    // It asks from inside its accessor, so the directory is not given back meanwhile.
    try await pair.a.run(
      "1",
      .access(.write(d, Writing.forMoving, .access(.write(f, 0, .put("", "new")))))
    )

    #expect(try pair.world.contents("f") == "new")
    #expect(try pair.world.contents("d/x") == "0")
    let failed = try await pair.p.expect("P", "failed")
    #expect(failed.text.contains("asking about"), "\(failed.text)")
  }
}
