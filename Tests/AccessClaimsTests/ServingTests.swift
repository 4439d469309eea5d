import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// Claims whose thread runs something else while it waits; model serve-grant.
@Suite(.timeLimit(.minutes(3))) struct ServingTests {
  @Test func `who runs something else while it waits holds nothing meanwhile`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let holder = try one.now(world.request("b", .write))
    let passed = Mutex<Bool?>(nil)
    let both = ClaimRequest(
      items: [
        .init(path: world.path("a"), access: .write), .init(path: world.path("b"), access: .write),
      ],
      purpose: .test()
    )
    let request = world.request("a", .write)
    // "a" was granted to the waiting claim; what it runs wants it.
    let waiter = ServingWaiter {
      let claim = try? one.now(request)
      passed.withLock { $0 = claim != nil }
      claim?.release()
      holder.release()
    }

    let claim = try other.acquire(both, waiter: waiter)

    #expect(passed.withLock { $0 } == true)
    #expect(claim.grants.count == 2)
    #expect(throws: ClaimFailure.self) { try one.now(world.request("a", .read)) }
    claim.release()
  }

  @Test func `a write inside a read goes on after it served`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let reader = try other.now(world.request("f", .read))
    var request = world.request("f", .read)
    let outer = try one.now(request)
    request.items[0].access = .write
    // It waits for the other reader, holding the gate, when there is something to run.
    let waiter = ServingWaiter { reader.release() }

    let inner = try outer.withAccessor { try one.acquire(request, waiter: waiter) }

    #expect(inner.grants.count == 1)
    inner.release()
    outer.release()
  }
}
