import PeerScript
import TestSupport
import Testing

/// The forms that do not block their caller: statement 53, field case A06.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct AsynchronousTests {
  @Test func `statement 53: the accessor runs once, on the given queue`() async throws {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")

    try await peer.run("1", .access(.write(world.path("f"), 0, .put("", "new")).form(.intents)))

    #expect(peer.events("1", "accessor").map(\.text) == ["right queue"])
    #expect(peer.events("1", "done").count == 1)
    #expect(try world.contents("f") == "new")
  }

  @Test func `statement 53: cancelled, it runs once with an error`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")
    try duel.b.start("1", .access(.write(f).coordinator("c").form(.intents)))
    try await duel.b.expect("1", "returned")

    try await duel.b.run("2", .cancel(coordinator: "c"))

    let failed = try await duel.b.expect("1", "failed")
    #expect(failed.text.hasPrefix(cancelled))
    #expect(duel.b.events("1", "accessor").map(\.text) == ["right queue"])
    try duel.a.signal("go")
    try await duel.a.expect("1", "done")
    #expect(try await duel.b.stays(without: "1", "began"))
    #expect(duel.b.events("1", "accessor").count == 1)
  }

  @Test func `the call with intents returns before the access is granted`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")

    try duel.b.start("1", .access(.write(f).form(.intents)))

    try await duel.b.expect("1", "returned")
    #expect(duel.b.events("1", "began").isEmpty)
    try duel.a.signal("go")
    try await duel.b.expect("1", "done")
  }

  @Test func `the access lasts until the accessor returned`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")

    try await duel.expect(.write(f).form(.intents), then: .read(f).form(.async), waits: true)
    try await duel.expect(.write(f).form(.async), then: .read(f).form(.intents), waits: true)
    try await duel.expect(.read(f).form(.async), then: .read(f).form(.intents), waits: false)
  }

  @Test
  func `field case A06: a reading and a writing intent of one file do not wait for each other`()
    async throws
  {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    let both = Access.of([.init(.read, f), .init(.write, f, options: Writing.forMerging)])

    try await duel.expect(both.form(.intents), then: .write(f), waits: true)

    let began = try #require(duel.a.events("1", "began").first)
    #expect(began.text == "\(f) \(f)")
    #expect(duel.a.events("1", "accessor").count == 1)
  }

  @Test func `field case A06: the same for the call with two URLs`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")

    try await duel.expect(.of([.init(.read, f), .init(.write, f)]), then: .read(f), waits: true)
    try await duel.expect(.of([.init(.write, f), .init(.write, f)]), then: .read(f), waits: true)
  }

  @Test func `a hundred suspended accesses need no hundred threads of the pool`() async throws {
    let duel = try await Duel { File("f", "0") }
    let f = duel.world.path("f")
    let counting = Step.access(.write(f, 0, .increment("")).form(.async).quiet)
    let lists = Array(repeating: [counting, counting], count: 20)

    try duel.a.start("1", .concurrently(lists))
    try await duel.b.run("1", .concurrently(lists))
    try await duel.a.expect("1", "finished")

    #expect(try duel.world.contents("f") == "80")
  }

  @Test func `an intent without items ends once, without an error`() async throws {
    let world = try World {}
    let peer = try await world.peer("A")

    try await peer.run("1", .access(Access([], []).form(.intents)))

    #expect(peer.events("1", "accessor").count == 1)
  }
}
