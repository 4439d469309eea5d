import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// Claims of one purpose in two processes; model e.
@Suite(.timeLimit(.minutes(3)), .serialized, .inTurn, .tags(.multiProcess)) struct PartnerTests {
  @Test func `a write of the same purpose in another process joins`() async throws {
    // Statement 17.
    let world = try ClaimWorld()
    let (a, b) = try await peers(world)
    try a.tell("acquire one w:\(world.path("f")) purpose=p")
    try await a.expect("one granted")

    try b.tell("acquire two w:\(world.path("f")) purpose=p")
    try await b.expect("two granted")

    // The lock ends with its last member, whoever that is.
    let table = try world.table()
    let stranger = try Attempt(table, world.request("f", .write))
    #expect(try await stranger.keepsWaiting())
    try a.tell("release one")
    try await a.expect("one released")
    #expect(try await stranger.keepsWaiting())
    try b.tell("release two")
    try await stranger.granted().release()

    // The description that was sent is not used again.
    try a.tell("acquire three w:\(world.path("f"))")
    try await a.expect("three granted")
    #expect(throws: ClaimFailure.self) { try table.now(world.request("f", .read)) }
  }

  @Test func `a member that is killed does not free the lock of the other`() async throws {
    let world = try ClaimWorld()
    let (a, b) = try await peers(world)
    try a.tell("acquire one w:\(world.path("f")) purpose=p")
    try await a.expect("one granted")
    try b.tell("acquire two w:\(world.path("f")) purpose=p")
    try await b.expect("two granted")

    a.kill()

    let stranger = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await stranger.keepsWaiting())
    b.kill()
    try await stranger.granted().release()
  }

  @Test func `a read joins the reads of its purpose past a waiting writer`() async throws {
    let world = try ClaimWorld()
    let (a, b) = (try await ClaimPeer(world), try await ClaimPeer(world))
    try a.tell("acquire one r:\(world.path("f")) purpose=p")
    try await a.expect("one granted")
    let writer = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await writer.keepsWaiting())

    try b.tell("acquire two r:\(world.path("f")) purpose=p")

    try await b.expect("two granted")
    #expect(writer.isWaiting)
    try a.tell("release one")
    try b.tell("release two")
    try await writer.granted().release()
  }

  @Test func `a write joins the read of its purpose in one other process`() async throws {
    let world = try ClaimWorld()
    let (a, b) = try await peers(world)
    try a.tell("acquire one r:\(world.path("f")) purpose=p")
    try await a.expect("one granted")

    try b.tell("acquire two w:\(world.path("f")) purpose=p")

    try await b.expect("two granted")
    let stranger = try Attempt(try world.table(), world.request("f", .read))
    #expect(try await stranger.keepsWaiting())
    try b.tell("release two")
    try a.tell("release one")
    try await stranger.granted().release()
  }

  @Test(arguments: [true, false])
  func `a read that joined a write of its purpose becomes a write`(keepsGate: Bool) async throws {
    let world = try ClaimWorld()
    let (a, b) = try await peers(world)
    // Whoever had to wait keeps its gate.
    let before = keepsGate ? try world.table().now(world.request("f", .read)) : nil
    try a.tell("acquire one w:\(world.path("f")) purpose=p")
    if let before {
      #expect(try await a.stays(without: "one granted"))
      before.release()
    }
    try await a.expect("one granted")
    try b.tell("acquire two r:\(world.path("f")) purpose=p")
    try await b.expect("two granted")

    try b.tell("acquire three w:\(world.path("f")) purpose=p within=two")

    try await b.expect("three granted")
    let stranger = try Attempt(try world.table(), world.request("f", .read))
    try a.tell("release one")
    try await a.expect("one released")
    #expect(try await stranger.keepsWaiting())
    b.kill()
    try await stranger.granted().release()
  }

  @Test func `a read becomes a write when the read of its purpose elsewhere has ended`()
    async throws
  {
    let world = try ClaimWorld()
    let (a, b) = try await peers(world)
    try a.tell("acquire one r:\(world.path("f")) purpose=p")
    try await a.expect("one granted")
    try b.tell("acquire two r:\(world.path("f")) purpose=p")
    try await b.expect("two granted")

    try b.tell("acquire three w:\(world.path("f")) purpose=p within=two")
    #expect(try await b.stays(without: "three"))
    try a.tell("release one")

    try await b.expect("three granted")
  }

  /// Two processes, of which the first one answers partners.
  private func peers(_ world: ClaimWorld) async throws -> (ClaimPeer, ClaimPeer) {
    let (a, b) = (try await ClaimPeer(world), try await ClaimPeer(world))
    try a.tell("listen")
    try await a.expect("listening")
    return (a, b)
  }
}
