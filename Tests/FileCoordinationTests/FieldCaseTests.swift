import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Field cases that fit nowhere else: A16, B04 and B07.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct FieldCaseTests {
  @Test func `field case A16: replacing does nothing to the destination by itself`()
    async throws
  {
    let world = try World { File("destination", "the only good copy") }
    let peer = try await world.peer("A")
    let path = world.files.appending("destination")
    let before = try FileStatus(of: path)

    // The copy fails: its source is not there.
    try await peer.run(
      "1",
      .access(
        .write(
          path.description,
          Writing.forReplacing,
          .move(world.path("missing"), to: path.description, announced: false)
        )
      )
    )

    #expect(peer.events("1", "error").count == 1)
    #expect(try FileStatus(of: path) == before)
    #expect(try world.list() == ["destination"])
  }

  @Test func `field case B04: two programs that reload on change come to rest`() async throws {
    let duel = try await Duel { File("f", "0") }
    let f = duel.world.path("f")
    for (peer, name) in [(duel.a, "A"), (duel.b, "B")] {
      try await peer.present(
        PresenterScript(name, f).on(
          .changed,
          [.access(.read(f, 0, .get("")).presenter(name))]
        )
      )
    }

    try await duel.a.run("1", .access(.write(f, 0, .put("", "1")).presenter("A")))

    let loaded = try await duel.b.expect("B", "text")
    #expect(loaded.text == "1")
    #expect(try await duel.b.stays(without: "B", "text", for: .seconds(1)))
    #expect(duel.a.events("A", "text").isEmpty)
    #expect(duel.a.events("A", "changed").isEmpty)
  }

  @Test func `field case B07: fast saves beside a foreign reader are no foreign changes`()
    async throws
  {
    let pair = try await Pair { File("f", "0") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try pair.a.start(
      "1",
      .times(50, [.access(.read(f, Reading.withoutChanges, .get("")).quiet)])
    )

    try await pair.p.run(
      "1",
      .times(50, [.access(.write(f, 0, .increment("")).presenter("P").quiet)])
    )
    try await pair.a.expect("1", "finished")

    #expect(try await pair.p.stays(without: "P", "changed", for: .seconds(1)))
    #expect(pair.p.events("P", "changed").isEmpty)
    #expect(try pair.world.contents("f") == "50")
  }

  @Test func `two shells' worth of read-modify-write lose nothing`() async throws {
    let duel = try await Duel { File("f", "0") }
    let f = duel.world.path("f")
    let counting = Step.times(1000, [.access(.write(f, 0, .increment("")).quiet)])

    try duel.a.start("1", counting)
    try duel.b.start("1", counting)
    try await duel.a.expect("1", "finished", within: .seconds(50))
    try await duel.b.expect("1", "finished", within: .seconds(50))

    #expect(try duel.world.contents("f") == "2000")
  }
}
