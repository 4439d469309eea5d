import PeerScript
import TestSupport
import Testing

/// Who does not wait although the items conflict: statements 16 to 19, field case A01.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct ExemptionTests {
  @Test func `statement 16: nobody waits for a reader that uploads and is in its accessor`()
    async throws
  {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")

    try await duel.expect(.read(f, Reading.forUploading), then: .write(f), waits: false)
  }

  @Test func `statement 17: writers of one purpose in two processes do not wait for each other`()
    async throws
  {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    let one = Access.write(f).purpose("org.example.one")

    try await duel.expect(one, then: one, waits: false)
    try await duel.expect(one, then: .read(f).purpose("org.example.one"), waits: false)
    try await duel.expect(
      .read(f).purpose("org.example.one"),
      then: .read(f).purpose("org.example.one"),
      waits: false
    )
    try await duel.expect(one, then: .write(f).purpose("org.example.two"), waits: true)
  }

  /// Field case A01: the rule is the same in one process and between two.
  @Test func `statement 18: coordinators of one presenter do not wait for each other`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(PresenterScript("P", f))

    // Each needs the other inside: both end only if they overlap.
    try peer.start("1", .access(.write(f, 0, .signal("one"), .wait("two")).presenter("P")))
    try peer.start("2", .access(.write(f, 0, .signal("two"), .wait("one")).presenter("P")))

    try await peer.expect("1", "done")
    try await peer.expect("2", "done")
  }

  @Test func `field case A01: no reader sees what writers of one presenter do meanwhile`()
    async throws
  {
    let world = try World { File("f", String(repeating: "a", count: 4096)) }
    let writer = try await world.peer("A")
    let reader = try await world.peer("B")
    let f = world.path("f")
    let letters = { (letter: String) in String(repeating: letter, count: 16) }
    try await writer.present(PresenterScript("P", f))

    try writer.start(
      "1",
      .times(
        40,
        [
          .access(
            .write(
              f,
              0,
              .concurrently([
                [.access(.write(f, 0, .fill("", letters("b"), 256)).presenter("P").quiet)],
                [.access(.write(f, 0, .note("beside")).presenter("P").quiet)],
              ]),
              .fill("", letters("c"), 256)
            ).presenter("P").quiet
          )
        ]
      )
    )
    try await reader.run(
      "2",
      .times(40, [.access(.read(f, Reading.withoutChanges, .checkFill("")).quiet)])
    )
    try await writer.expect("1", "finished")

    #expect(reader.events("2", "mixed").isEmpty)
    #expect(reader.events("2", "failed").isEmpty)
    #expect(writer.events("1", "failed").isEmpty)
    #expect(writer.events("1", "note").count == 40)
  }

  @Test func `statement 19: a coordinator does not wait for itself`() async throws {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    let inner = Access.read(f, 0, .get("")).coordinator("c")

    try await peer.run("1", .access(.write(f, 0, .access(inner)).coordinator("c")))

    #expect(peer.events("1", "text").map(\.text) == ["text"])
    #expect(peer.events("1", "failed").isEmpty)
  }
}
