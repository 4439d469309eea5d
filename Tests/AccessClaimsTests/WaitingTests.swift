import AccessClaims
import CoordinationRuntime
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct WaitingTests {
  @Test(arguments: [true, false])
  func `a reader does not overtake a writer that waits`(inOneProcess: Bool) async throws {
    // Statement 21.
    let world = try ClaimWorld()
    let one = try world.table()
    let other = inOneProcess ? one : try world.table()
    let first = try one.now(world.request("f", .read))

    let writer = try Attempt(other, world.request("f", .write))
    #expect(try await writer.keepsWaiting())
    let reader = try Attempt(one, world.request("f", .read))

    #expect(try await reader.keepsWaiting())
    first.release()
    try await writer.granted()
    #expect(try await reader.keepsWaiting())
    writer.claim?.release()
    try await reader.granted().release()
  }

  @Test(arguments: [true, false])
  func `a cancelled wait ends and leaves the way free`(inOneProcess: Bool) async throws {
    let world = try ClaimWorld()
    let one = try world.table()
    let other = inOneProcess ? one : try world.table()
    let holder = try one.now(world.request("f", .write))
    let cancelled = try Attempt(other, world.request("f", .write))
    let behind = try Attempt(other, world.request("f", .write))
    #expect(try await behind.keepsWaiting())

    cancelled.waiter.cancel()

    guard case .cancelled = try await cancelled.failed() else {
      Issue.record("not cancelled but \(String(describing: cancelled.failure))")
      return
    }
    holder.release()
    try await behind.granted().release()
    // The kernel wait that was left behind, if one was, has ended by itself.
    let after = try Attempt(one, world.request("f", .write))
    try await after.granted().release()
  }

  @Test func `cancelling again and again leaves no threads and no descriptors behind`() async throws
  {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let holder = try one.now(world.request("f", .write))
    var attempts: [Attempt] = []
    for round in 0..<40 {
      let access: ClaimRequest.Access = round % 3 == 0 ? .read : .write
      let attempt = try Attempt(other, world.request("f", access))
      attempts.append(attempt)
      attempt.waiter.cancel()
      _ = try await attempt.failed()
    }
    // At most one wait for the gate, and one per kind of lock, stay behind.
    #expect(other.kernelWaitCount <= 3)
    holder.release()
    let last = try Attempt(one, world.request("f", .write))
    try await last.granted().release()
    try await eventually("the waits ended") { other.kernelWaitCount == 0 }
  }

  @Test func `a time limit ends the wait and not earlier`() async throws {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let holder = try one.now(world.request("f", .write))
    let start = MonotonicInstant.now

    let late = try Attempt(other, world.request("f", .read, limit: .milliseconds(300)))

    guard case .timedOut = try await late.failed() else {
      Issue.record("not timed out but \(String(describing: late.failure))")
      return
    }
    #expect(MonotonicInstant.now - start >= .milliseconds(300))
    holder.release()
    try await Attempt(other, world.request("f", .read)).granted().release()
  }

  @Test func `a writer gets in while readers overlap without a gap`() async throws {
    // I13.
    let world = try ClaimWorld()
    let tables = [try world.table(), try world.table()]
    let flags = Flags()
    let readers = 4
    for reader in 0..<readers {
      try startReader(world, tables[reader % 2], flags)
    }

    let writer = try Attempt(try world.table(), world.request("f", .write))
    try await writer.granted()
    writer.claim?.release()

    flags.isOver.store(true, ordering: .releasing)
    try await eventually("readers ended") { flags.ended.load(ordering: .acquiring) == readers }
  }

  private final class Flags: Sendable {
    let isOver = Atomic<Bool>(false)
    let ended = Atomic<Int>(0)
  }

  /// Reads on and on; several of these overlap.
  private func startReader(_ world: ClaimWorld, _ table: ClaimTable, _ flags: Flags) throws {
    try BlockingThread.start("reader") {
      while !flags.isOver.load(ordering: .acquiring) {
        // A claim that fails ends the test by its time limit.
        guard let read = try? table.acquire(world.request("f", .read), waiter: PlainWaiter())
        else { return }
        for _ in 0..<20 { ShortPause.run(until: nil) }
        read.release()
      }
      flags.ended.add(1, ordering: .releasing)
    }
  }
}
