import PeerScript
import TestSupport
import Testing

/// Batch preparation: statements 37 to 39.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct PreparingTests {
  @Test func `statement 37: preparing a directory asks the presenters inside`() async throws {
    let pair = try await Pair { Directory("d") { Directory("e") { File("f", "text") } } }
    try await pair.p.present(PresenterScript("P", pair.world.path("d/e/f")))

    try await pair.a.run(
      "1",
      .prepare(reads: [pair.world.path("d")], writes: [], by: nil, completeOn: nil, body: [])
    )

    #expect(pair.a.events("1", "failed").isEmpty)
    let heard = try await pair.p.messages(of: "P")
    #expect(heard.contains("save"))
    let prepared = try #require(pair.a.events("1", "prepared").first)
    let saved = try #require(pair.p.events("P", "save").first)
    #expect(saved.time < prepared.time)
  }

  @Test func `statement 38: during a prepare block others can write`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try pair.a.start(
      "1",
      .prepare(reads: [f], writes: [f], by: nil, completeOn: nil, body: [.wait("go")])
    )
    try await pair.a.expect("1", "waiting")

    try await pair.p.run("1", .access(.write(f, 0, .put("", "new"))))

    #expect(pair.p.events("1", "done").count == 1)
    #expect(pair.a.events("1", "finished").isEmpty)
    try pair.a.signal("go")
    try await pair.a.expect("1", "finished")
  }

  @Test func `statement 39: prepare returns when its block returned, the handler not called`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run(
      "1",
      .prepare(reads: [f], writes: [], by: nil, completeOn: "later", body: [])
    )

    #expect(pair.a.events("1", "done").count == 1)
    #expect(pair.a.events("1", "completed").isEmpty)
    #expect(try await pair.p.messages(of: "P").last != "reacquire")
    try pair.a.signal("later")
    try await pair.a.expect("1", "completed")
    try await pair.p.expect("P", "reacquire")
  }

  @Test func `accesses inside a prepare block claim for real`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try pair.a.start(
      "1",
      .prepare(
        reads: [],
        writes: [f],
        by: nil,
        completeOn: nil,
        body: [.access(.write(f, 0, .wait("go")))]
      )
    )
    try await pair.a.expect("1", "began")
    try pair.p.start("1", .access(.write(f)))
    #expect(try await pair.p.stays(without: "1", "began"))

    try pair.a.signal("go")

    let left = try await pair.a.expect("1", "ended")
    let came = try await pair.p.expect("1", "began")
    #expect(left.time < came.time)
    try await pair.a.expect("1", "finished")
  }

  @Test func `an error in an answer fails the preparation`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(
      PresenterScript("P", f).on(.save, [.answerError(domain: "org.example", code: 7)])
    )

    try await pair.a.run(
      "1",
      .prepare(reads: [f], writes: [], by: nil, completeOn: nil, body: [])
    )

    #expect(pair.a.events("1", "prepared").isEmpty)
    #expect(pair.a.events("1", "failed").count == 1)
  }
}
