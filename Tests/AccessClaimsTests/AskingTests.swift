import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// design.md section 5, "the gate is the right to be next"; models c, c_read and g.
@Suite(.timeLimit(.minutes(3))) struct AskingTests {
  private func passing(_ request: ClaimRequest, _ asker: Claim) -> ClaimRequest {
    var request = request
    let id = asker.id
    request.passesGatesOf = { [id] }
    return request
  }

  @Test(arguments: [true, false])
  func `who answers gets past the asker, others stand in line`(inOneProcess: Bool) async throws {
    // Statement 36.
    let world = try ClaimWorld()
    let one = try world.table()
    let other = inOneProcess ? one : try world.table()
    let asker = try one.acquire(world.request("f", .write), waiter: PlainWaiter())
    try asker.beginAsking(waiter: PlainWaiter())

    let stranger = try Attempt(other, world.request("f", .write))
    #expect(try await stranger.keepsWaiting())
    let presenter = try Attempt(other, passing(world.request("f", .write), asker))
    let answer = try await presenter.granted()
    answer.release()

    try asker.endAsking(waiter: PlainWaiter())
    #expect(try await stranger.keepsWaiting())
    asker.release()
    try await stranger.granted().release()
  }

  @Test func `the asker waits for a presenter that is still writing`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let asker = try one.acquire(world.request("f", .read), waiter: PlainWaiter())
    try asker.beginAsking(waiter: PlainWaiter())
    let presenter = try other.acquire(
      passing(world.request("f", .write), asker),
      waiter: PlainWaiter()
    )

    let ended = ValueBox<Bool>()
    try BlockingThread.start("asker") {
      do { try asker.endAsking(waiter: PlainWaiter()) } catch { return }
      ended.set(true)
    }

    #expect(try await never { ended.get() == true })
    presenter.release()
    try await eventually("asker is in") { ended.get() == true }
    asker.release()
    try other.acquire(world.request("f", .write), waiter: PlainWaiter()).release()
  }

  @Test func `asking waits for whoever stands at the gate already`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let asker = try one.acquire(world.request("f", .read), waiter: PlainWaiter())
    let before = try Attempt(other, world.request("f", .write))
    #expect(try await before.keepsWaiting())

    let began = ValueBox<Bool>()
    try BlockingThread.start("asker") {
      do { try asker.beginAsking(waiter: PlainWaiter()) } catch { return }
      began.set(true)
    }

    try await before.granted()
    #expect(try await never { began.get() == true })
    before.claim?.release()
    try await eventually("asker asks") { began.get() == true }
    try asker.endAsking(waiter: PlainWaiter())
    asker.release()
  }

  @Test func `a permission that comes while waiting is enough`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let asker = try one.acquire(world.request("f", .write), waiter: PlainWaiter())
    try asker.beginAsking(waiter: PlainWaiter())
    let permission = ValueBox<Set<ClaimID>>()
    var request = world.request("f", .write)
    request.passesGatesOf = { permission.get() ?? [] }
    let presenter = try Attempt(other, request)
    #expect(try await presenter.keepsWaiting())

    permission.set([asker.id])
    presenter.waiter.wake()

    try await presenter.granted().release()
    try asker.endAsking(waiter: PlainWaiter())
    asker.release()
  }

  @Test func `two items are asked about without a deadlock`() async throws {
    // Model g.
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let (one, other) = (try world.table(), try world.table())
    func both(_ access: ClaimRequest.Access) -> ClaimRequest {
      ClaimRequest(
        items: ["d", "d/f"].map { .init(path: world.path($0), access: access) },
        purpose: .test()
      )
    }
    let asker = try one.acquire(both(.structuralWrite), waiter: PlainWaiter())
    try asker.beginAsking(waiter: PlainWaiter())
    let reader = try Attempt(other, both(.read))
    let deleter = try Attempt(other, world.request("d", .structuralWrite))
    let presenter = try Attempt(other, passing(world.request("d/f", .write), asker))
    try await presenter.granted().release()

    try asker.endAsking(waiter: PlainWaiter())
    #expect(reader.isWaiting && deleter.isWaiting)
    asker.release()

    try await eventually("all were in") {
      reader.claim?.release()
      deleter.claim?.release()
      return reader.claim != nil && deleter.claim != nil
    }
  }

  @Test func `who was asked about two items gets the second one past a mover of its directory`()
    async throws
  {
    let world = try ClaimWorld()
    for name in ["d0", "d1"] { try world.makeDirectory(name) }
    let asker = try world.table().now(
      ClaimRequest(
        items: ["d0/f", "d1/f"].map { .init(path: world.path($0), access: .write) },
        purpose: .test()
      )
    )
    try asker.beginAsking(waiter: PlainWaiter())
    // It holds the tree of d1 and waits for the asker; the mover waits for that tree.
    let reader = try Attempt(try world.table(), world.request("d1/f", .read))
    #expect(try await reader.keepsWaiting())
    let mover = try Attempt(try world.table(), world.request("d1", .structuralWrite))
    #expect(try await mover.keepsWaiting())

    let ended = ValueBox<Bool>()
    try BlockingThread.start("asker") {
      do { try asker.endAsking(waiter: PlainWaiter()) } catch { return }
      ended.set(true)
    }

    try await eventually("the asker is in") { ended.get() == true }
    asker.release()
    try await reader.granted().release()
    try await mover.granted().release()
  }

  @Test func `a cancelled asker opens its gates`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let asker = try one.acquire(world.request("f", .write), waiter: PlainWaiter())
    try asker.beginAsking(waiter: PlainWaiter())
    let waiting = try Attempt(other, world.request("f", .write))
    #expect(try await waiting.keepsWaiting())

    asker.release()

    try await waiting.granted().release()
  }
}
