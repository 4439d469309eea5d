import PeerScript
import TestSupport
import Testing

/// Accesses inside accesses, upgrades and cycles: field case I12.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct NestingTests {
  @Test func `every nesting of one coordinator that needs no more is granted`() async throws {
    let world = try World { Directory("d") { File("f", "text") } }
    let peer = try await world.peer("A")
    let (d, f) = (world.path("d"), world.path("d/f"))
    func nested(_ outer: Access, _ inner: Access) -> Step {
      .access(outer.then(.access(inner.coordinator("c"))).coordinator("c"))
    }

    try await peer.run(
      "1",
      nested(.write(f), .write(f)),
      nested(.write(f), .read(f)),
      nested(.read(f), .read(f)),
      nested(.write(d, Writing.forMoving), .write(f)),
      nested(.write(d, Writing.forDeleting), .read(f)),
      nested(.read(d), .write(f)),
      nested(.write(d), .write(f))
    )

    #expect(peer.events("1", "failed").isEmpty)
    #expect(peer.events("1", "done").count == 14)
  }

  @Test func `another coordinator on the same thread is granted what the thread has`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")

    try await peer.run("1", .access(.write(f, 0, .access(.read(f)), .access(.write(f)))))

    #expect(peer.events("1", "failed").isEmpty)
    #expect(peer.events("1", "done").count == 3)
  }

  @Test func `another coordinator that needs more than its thread has fails at once`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")

    try await peer.run("1", .timed([.access(.read(f, 0, .access(.write(f))))]))

    #expect(peer.events("1", "failed").count == 1)
    let took = try #require(peer.events("1", "took").first.flatMap { Int($0.text) })
    #expect(took < 2000)
  }

  @Test func `a write inside one's own read is an upgrade that excludes others`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    let inner = Access.write(f, 0, .note("inside"), .wait("go")).coordinator("c")
    try duel.a.start("1", .access(.read(f, 0, .access(inner)).coordinator("c")))
    try await duel.a.expect("1", "note")

    try duel.b.start("1", .access(.read(f)))
    #expect(try await duel.b.stays(without: "1", "began"))

    try duel.a.signal("go")
    try await duel.b.expect("1", "done")
    #expect(duel.a.events("1", "failed").isEmpty)
  }

  @Test func `an upgrade waits for the readers that are there`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.b.start("1", .access(.read(f, 0, .wait("go"))))
    try await duel.b.expect("1", "began")

    let inner = Access.write(f, 0, .note("inside")).coordinator("c")
    try duel.a.start("1", .access(.read(f, 0, .access(inner)).coordinator("c")))
    #expect(try await duel.a.stays(without: "1", "note"))

    try duel.b.signal("go")
    let left = try await duel.b.expect("1", "ended")
    let came = try await duel.a.expect("1", "note")
    #expect(left.time < came.time)
  }

  /// Two columns: A and B both read, meet, and then both want to write.
  @Test func `field case I12: of two readers that want to write, one gets an error`()
    async throws
  {
    let duel = try await Duel { File("f", "0") }
    let f = duel.world.path("f")
    let inner = Access.write(f, 0, .increment("")).coordinator("c")
    let outer = Step.access(.read(f, 0, .wait("both"), .access(inner)).coordinator("c"))
    for peer in [duel.a, duel.b] {
      try peer.start("1", outer)
      try await peer.expect("1", "waiting")
    }

    try duel.a.signal("both")
    try duel.b.signal("both")
    try await duel.a.expect("1", "finished")
    try await duel.b.expect("1", "finished")

    let failures = duel.a.events("1", "failed").count + duel.b.events("1", "failed").count
    #expect(failures == 1)
    #expect(try duel.world.contents("f") == "1")
  }

  @Test func `field case I12: no update is lost in a race of upgrades`() async throws {
    let duel = try await Duel { File("f", "0") }
    let f = duel.world.path("f")
    let inner = Access.write(f, 0, .increment("")).coordinator("c").quiet
    let outer = Step.times(100, [.access(.read(f, 0, .access(inner)).coordinator("c").quiet)])

    try duel.a.start("1", outer)
    try duel.b.start("1", outer)
    try await duel.a.expect("1", "finished", within: .seconds(40))
    try await duel.b.expect("1", "finished", within: .seconds(40))

    let failures = duel.a.events("1", "failed").count + duel.b.events("1", "failed").count
    #expect(try duel.world.contents("f") == "\(200 - failures)")
    #expect(duel.a.events("1", "error").isEmpty)
    #expect(duel.b.events("1", "error").isEmpty)
  }

  @Test func `a cycle of two processes ends with an error that names it`() async throws {
    let duel = try await Duel {
      File("x", "text")
      File("y", "text")
    }
    let (x, y) = (duel.world.path("x"), duel.world.path("y"))
    try duel.a.start("1", .access(.write(x, 0, .wait("both"), .access(.write(y)))))
    try duel.b.start("1", .access(.write(y, 0, .wait("both"), .access(.write(x)))))
    try await duel.a.expect("1", "waiting")
    try await duel.b.expect("1", "waiting")

    try duel.a.signal("both")
    try duel.b.signal("both")
    try await duel.a.expect("1", "finished")
    try await duel.b.expect("1", "finished")

    let failures = duel.a.events("1", "failed") + duel.b.events("1", "failed")
    let failure = try #require(failures.first)
    #expect(failures.count <= 2)
    #expect(failure.text.contains("x") && failure.text.contains("y"))
  }

  @Test func `a cycle inside one process ends too`() async throws {
    let world = try World {
      File("x", "text")
      File("y", "text")
    }
    let peer = try await world.peer("A")
    let (x, y) = (world.path("x"), world.path("y"))
    try peer.start("1", .access(.write(x, 0, .wait("both"), .access(.write(y)))))
    try peer.start("2", .access(.write(y, 0, .wait("both"), .access(.write(x)))))
    try await peer.expect("1", "waiting")
    try await peer.expect("2", "waiting")

    try peer.signal("both")
    try await peer.expect("1", "finished")
    try await peer.expect("2", "finished")

    #expect(!(peer.events("1", "failed") + peer.events("2", "failed")).isEmpty)
  }
}
