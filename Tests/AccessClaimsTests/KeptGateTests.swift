import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// Writers that had to wait keep their gate until they are done; decision 0107.
@Suite(.timeLimit(.minutes(1)), .inTurn, .tags(.multiProcess)) struct KeptGateTests {
  @Test func `those who come while a writer has the item get in in their order`() async throws {
    let world = try ClaimWorld()
    let holder = try world.table().now(world.request("f", .read))
    let writer = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await writer.keepsWaiting())
    holder.release()
    try await writer.granted()
    let next = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await next.keepsWaiting())
    let last = try Attempt(try world.table(), world.request("f", .read))
    #expect(try await last.keepsWaiting())

    writer.claim?.release()

    try await next.granted()
    #expect(last.isWaiting)
    next.claim?.release()
    try await last.granted().release()
  }

  @Test
  func `a writer that is stopped with its gate shut is waited for, and nobody loses its place`()
    async throws
  {
    let world = try ClaimWorld()
    let holder = try world.table().now(world.request("f", .read))
    let writer = try await ClaimPeer(world)
    try writer.tell("acquire a w:\(world.path("f"))")
    #expect(try await writer.stays(without: "a granted"))
    holder.release()
    try await writer.expect("a granted")
    try await writer.stop()
    let next = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await next.keepsWaiting())
    // Longer than the two seconds after which a stopped process's gate is passed over.
    let last = try Attempt(
      try world.table(),
      world.request("f", .write, limit: .milliseconds(2_600))
    )
    try await eventually("the last one gives up") { last.failure != nil }
    #expect(next.isWaiting)
    let late = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await late.keepsWaiting())

    writer.resume()
    try writer.tell("release a")

    try await next.granted()
    #expect(late.isWaiting)
    next.claim?.release()
    try await late.granted().release()
  }

  @Test func `a writer that serves its queue while it waits for a second item holds no gate`()
    async throws
  {
    let world = try ClaimWorld()
    let other = try world.table()
    let holder = try other.now(world.request("a", .read))
    let second = try other.now(world.request("b", .read))
    let passed = ValueBox<Bool>()
    let request = world.request("a", .write, limit: .seconds(5))
    let waiter = ServingWaiter(offered: false) {
      let claim = try? other.acquire(request, waiter: PlainWaiter())
      passed.set(claim != nil)
      claim?.release()
      second.release()
    }
    let both = ClaimRequest(
      items: ["a", "b"].map { .init(path: world.path($0), access: .write) },
      purpose: .test()
    )
    let attempt = try Attempt(try world.table(), both, waiter: waiter)
    #expect(try await attempt.keepsWaiting())

    // It has the first item now, and waits for the second one.
    holder.release()
    try await eventually("it holds the first item") {
      // Refused: it is held.
      guard let claim = try? other.now(world.request("a", .write)) else { return true }
      claim.release()
      return false
    }
    waiter.offer()

    try await attempt.granted().release()
    #expect(passed.get() == true)
  }
}
