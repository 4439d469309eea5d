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

  @Test func `who answers gets past the asker without a pause`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let asker = try one.acquire(world.request("f", .write), waiter: PlainWaiter())
    try asker.beginAsking(waiter: PlainWaiter())

    let presenter = try Attempt(other, passing(world.request("f", .write), asker))

    // Whoever waits looks again after two seconds in any case.
    try await eventually("the presenter is in", within: .seconds(1)) { presenter.claim != nil }
    presenter.claim?.release()
    asker.release()
  }

  @Test func `who serves its queue on the way to ask gets its first item again`() async throws {
    let world = try ClaimWorld()
    let asker = try writing(["a", "b"], world)
    let other = try world.table()
    let stranger = try Attempt(other, world.request("b", .write))
    #expect(try await stranger.keepsWaiting())
    let (served, began) = (ValueBox<Bool>(), ValueBox<Bool>())
    let waiter = ServingWaiter(offered: false) { served.set(true) }
    try BlockingThread.start("asker") {
      do { try asker.beginAsking(waiter: waiter) } catch { return }
      began.set(true)
    }

    // The asker stands in line behind it, with the first item and its gate.
    try await stranger.granted()
    waiter.offer()
    try await eventually("served") { served.get() == true }
    stranger.claim?.release()

    try await eventually("the asker asks") { began.get() == true }
    try asker.endAsking(waiter: PlainWaiter())
    asker.release()
    try await Attempt(other, world.request("a", .write)).granted().release()
  }

  @Test func `who asked about three items lets one by that has a directory between them`()
    async throws
  {
    let world = try ClaimWorld()
    for name in ["d0", "d1", "d2"] { try world.makeDirectory(name) }
    let asker = try writing(["d0/f", "d1/f", "d2/f"], world)
    try asker.beginAsking(waiter: PlainWaiter())
    // It has d1 as a whole, which the asker gave back, and waits at the gate of d2/f, which it kept.
    let mover = try Attempt(
      try world.table(),
      ClaimRequest(
        items: [
          .init(path: world.path("d1"), access: .structuralWrite),
          .init(path: world.path("d2/f"), access: .write),
        ],
        purpose: .test()
      )
    )
    #expect(try await mover.keepsWaiting())

    let ended = try ended(asker)

    try await mover.granted().release()
    try await eventually("the asker is in") { ended.get() == true }
    asker.release()
  }

  @Test func `an asker lets a claim through that is nested in one of the whole directory`()
    async throws
  {
    let world = try ClaimWorld()
    for name in ["d0", "d1"] { try world.makeDirectory(name) }
    let asker = try writing(["d0/f", "d1/f"], world)
    try asker.beginAsking(waiter: PlainWaiter())
    let other = try world.table()
    let whole = try other.now(world.request("d1", .structuralWrite))
    let nested = try Nested(whole, other, world.request("d1/f", .write))
    #expect(try await nested.keepsWaiting())

    let ended = try ended(asker)

    try await nested.granted()
    nested.end()
    whole.release()
    try await eventually("the asker is in") { ended.get() == true }
    asker.release()
  }

  /// A claim to write several items.
  private func writing(_ names: [String], _ world: ClaimWorld) throws -> Claim {
    let request = ClaimRequest(
      items: names.map { .init(path: world.path($0), access: .write) },
      purpose: .test()
    )
    return try world.table().acquire(request, waiter: PlainWaiter())
  }

  /// Set once the asker has its items again.
  private func ended(_ asker: Claim) throws -> ValueBox<Bool> {
    let ended = ValueBox<Bool>()
    try BlockingThread.start("asker") {
      do { try asker.endAsking(waiter: PlainWaiter()) } catch { return }
      ended.set(true)
    }
    return ended
  }

  @Test func `what a presenter turned into a link while it was asked is seen`() async throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let table = try world.table()
    let holder = try world.table().now(world.request("d/f", .write))
    // It looks at the path while it waits, just before the item becomes free.
    let asker = try table.acquire(
      world.request("d/f", .write),
      waiter: ExpectingWaiter { holder.release() }
    )
    try asker.beginAsking(waiter: PlainWaiter())

    try FileSystem.rename(world.path("d"), to: world.path("e"))
    try FileSystem.makeLink(world.path("d"), to: world.path("e"))
    try asker.endAsking(waiter: PlainWaiter())

    #expect(asker.grants.first?.identity.item == world.path("e/f"))
    asker.release()
  }

  @Test func `who went past a stopped asker gives the item back to ask, too`() async throws {
    let world = try ClaimWorld()
    let stopped = try await ClaimPeer(world)
    try stopped.tell("acquire a w:\(world.path("f"))")
    try await stopped.expect("a granted")
    try stopped.tell("ask a")
    try await stopped.expect("a asking")
    try await stopped.stop()
    let asker = try await Attempt(try world.table(), world.request("f", .write)).granted()

    try asker.beginAsking(waiter: PlainWaiter())

    let presenter = try Attempt(try world.table(), passing(world.request("f", .write), asker))
    try await presenter.granted().release()
    try asker.endAsking(waiter: PlainWaiter())
    asker.release()
  }
}

/// Waits like any other; says when it is told what it waits for.
private final class ExpectingWaiter: ClaimWaiter {
  private let plain = PlainWaiter()
  private let isExpecting: @Sendable () -> Void

  init(_ isExpecting: @escaping @Sendable () -> Void) { self.isExpecting = isExpecting }

  func park(until deadline: MonotonicInstant?) { plain.park(until: deadline) }
  func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? {
    plain.lock(number, mode, until: deadline)
  }
  var hasWork: Bool { false }
  func serve() {}
  func expect(_ item: ItemIdentity) { isExpecting() }
  func wake() { plain.wake() }
  var isCancelled: Bool { false }
}
