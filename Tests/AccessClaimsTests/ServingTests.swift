import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// Claims whose thread runs something else while it waits; model serve-grant.
@Suite(.timeLimit(.minutes(3))) struct ServingTests {
  /// Waits like any other, but is handed one thing to run.
  private final class ServingWaiter: ClaimWaiter {
    private let plain = PlainWaiter()
    private let work: Mutex<(@Sendable () -> Void)?>
    init(_ work: @escaping @Sendable () -> Void) { self.work = Mutex(work) }

    func park(until deadline: MonotonicInstant?) { plain.park(until: soon(deadline)) }
    func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? {
      plain.lock(number, mode, until: soon(deadline))
    }
    var hasWork: Bool { work.withLock { $0 != nil } }
    func serve() {
      let work = work.withLock { work in
        defer { work = nil }
        return work
      }
      work?()
    }
    func expect(_ item: ItemIdentity) {}
    func wake() { plain.wake() }
    var isCancelled: Bool { false }

    private func soon(_ deadline: MonotonicInstant?) -> MonotonicInstant? {
      hasWork ? MonotonicInstant.now + .milliseconds(1) : deadline
    }
  }

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
}
