import PeerScript
import TestSupport
import Testing

/// One purpose in two processes: joins at every interleaving that their model has.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess, .crash))
struct JoiningTests {
  private static let purpose = "org.example.joined"

  /// Two members of a purpose and a stranger.
  private func trio() async throws -> (World, a: Peer, b: Peer, c: Peer, f: String) {
    let world = try World { File("f", "text") }
    let a = try await world.peer("A")
    let b = try await world.peer("B")
    let c = try await world.peer("C")
    return (world, a, b, c, world.path("f"))
  }

  private func hold(_ access: Access, _ signal: String = "go") -> Step {
    .access(access.purpose(Self.purpose).then(.wait(signal)))
  }

  /// A holds, B joins, A leaves: the stranger waits for B as well.
  @Test func `a lock that was joined ends with its last member`() async throws {
    let (world, a, b, c, f) = try await trio()
    try a.start("1", hold(.write(f)))
    try await a.expect("1", "began")
    try b.start("1", hold(.write(f)))
    try await b.expect("1", "began")
    try c.start("1", .access(.write(f)))
    try await world.waiters(1)

    try a.signal("go")
    try await a.expect("1", "done")
    #expect(try await c.stays(without: "1", "began"))
    try b.signal("go")

    let left = try await b.expect("1", "ended")
    let came = try await c.expect("1", "began")
    #expect(left.time < came.time)
  }

  /// A holds, B joins, B leaves first.
  @Test func `a member that leaves takes nothing from the holder`() async throws {
    let (_, a, b, c, f) = try await trio()
    try a.start("1", hold(.write(f)))
    try await a.expect("1", "began")
    try await b.run("1", .access(.write(f).purpose(Self.purpose)))
    #expect(b.events("1", "done").count == 1)

    try c.start("1", .access(.read(f)))
    #expect(try await c.stays(without: "1", "began"))

    try a.signal("go")
    let left = try await a.expect("1", "ended")
    let came = try await c.expect("1", "began")
    #expect(left.time < came.time)
  }

  @Test func `a holder that is killed leaves the lock to who joined`() async throws {
    let (_, a, b, c, f) = try await trio()
    try a.start("1", hold(.write(f)))
    try await a.expect("1", "began")
    try b.start("1", hold(.write(f)))
    try await b.expect("1", "began")

    a.kill()
    try c.start("1", .access(.write(f)))
    #expect(try await c.stays(without: "1", "began"))

    try b.signal("go")
    let left = try await b.expect("1", "ended")
    let came = try await c.expect("1", "began")
    #expect(left.time < came.time)
  }

  @Test func `a member that is killed leaves the lock to the holder`() async throws {
    let (_, a, b, c, f) = try await trio()
    try a.start("1", hold(.write(f)))
    try await a.expect("1", "began")
    try b.start("1", hold(.write(f)))
    try await b.expect("1", "began")

    b.kill()
    try c.start("1", .access(.write(f)))
    #expect(try await c.stays(without: "1", "began"))

    try a.signal("go")
    try await c.expect("1", "done")
  }

  /// A holds, C waits, and then B asks: it joins past the stranger.
  @Test func `a member joins past a stranger that waits`() async throws {
    let (world, a, b, c, f) = try await trio()
    try a.start("1", hold(.write(f)))
    try await a.expect("1", "began")
    try c.start("1", .access(.write(f)))
    try await world.waiters(1)

    try b.start("1", hold(.write(f)))
    try await b.expect("1", "began")

    #expect(c.events("1", "began").isEmpty)
    try a.signal("go")
    try b.signal("go")
    try await c.expect("1", "done")
  }

  /// B asked before A held: both wait for C, and one lets the other in.
  @Test func `two members that wait for a stranger are both let in`() async throws {
    let (world, a, b, c, f) = try await trio()
    try c.start("1", .access(.write(f, 0, .wait("go"))))
    try await c.expect("1", "began")
    try a.start("1", hold(.write(f)))
    try b.start("1", hold(.write(f)))
    try await world.waiters(2)

    try c.signal("go")

    try await a.expect("1", "began")
    try await b.expect("1", "began")
    try a.signal("go")
    try b.signal("go")
    try await a.expect("1", "done")
    try await b.expect("1", "done")
  }

  // Few rounds: a partner that holds the lock by now is looked for every 100 ms (docs/locking.md).
  @Test func `a lock is used again after it was joined`() async throws {
    let (world, a, b, c, f) = try await trio()
    let counting = Step.access(.write(f, 0, .append("", "m")).purpose(Self.purpose).quiet)

    try a.start("1", .times(10, [counting]))
    try b.start("1", .times(10, [counting]))
    try await c.run("1", .times(10, [.access(.write(f, 0, .append("", "s")).quiet)]))
    try await a.expect("1", "finished")
    try await b.expect("1", "finished")

    let text = try world.contents("f")
    #expect(text.filter { $0 == "s" }.count == 10)
    #expect(text.filter { $0 == "m" }.count == 20)
  }

  @Test func `a reader joins readers of its purpose past a writer that waits`() async throws {
    let (world, a, b, c, f) = try await trio()
    try a.start("1", hold(.read(f)))
    try await a.expect("1", "began")
    try c.start("1", .access(.write(f)))
    try await world.waiters(1)

    try b.start("1", hold(.read(f)))
    try await b.expect("1", "began")

    #expect(c.events("1", "began").isEmpty)
    try a.signal("go")
    try b.signal("go")
    try await c.expect("1", "done")
  }

  @Test func `a writer joins a reader of its purpose in one other process`() async throws {
    let (_, a, b, c, f) = try await trio()
    try a.start("1", hold(.read(f)))
    try await a.expect("1", "began")

    try b.start("1", hold(.write(f)))
    try await b.expect("1", "began")

    #expect(a.events("1", "ended").isEmpty)
    try c.start("1", .access(.read(f)))
    #expect(try await c.stays(without: "1", "began"))
    try a.signal("go")
    try b.signal("go")
    try await c.expect("1", "done")
  }

  @Test func `a reader of the purpose joins its writer, and the reverse in one process`()
    async throws
  {
    let (_, a, b, _, f) = try await trio()
    try a.start("1", hold(.write(f)))
    try await a.expect("1", "began")

    try b.start("1", hold(.read(f)))
    try await b.expect("1", "began")
    try a.start("2", hold(.read(f)))
    try await a.expect("2", "began")

    for peer in [a, b] { try peer.signal("go") }
    try await a.expect("1", "done")
    try await a.expect("2", "done")
    try await b.expect("1", "done")
  }

  @Test func `a structural writer joins what its purpose holds inside`() async throws {
    let world = try World { Directory("d") { File("f", "text") } }
    let a = try await world.peer("A")
    let b = try await world.peer("B")
    try a.start("1", hold(.write(world.path("d"), Writing.forMoving)))
    try await a.expect("1", "began")

    try b.start("1", hold(.write(world.path("d/f"))))
    try await b.expect("1", "began")

    for peer in [a, b] { try peer.signal("go") }
    try await a.expect("1", "done")
    try await b.expect("1", "done")
  }
}
