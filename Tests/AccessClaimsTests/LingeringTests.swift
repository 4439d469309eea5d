import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

/// Tree locks that are kept a moment longer than claims need them.
@Suite(.timeLimit(.minutes(3))) struct LingeringTests {
  @Test func `a directory can be moved right after something in it was read elsewhere`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d/e")
    let (one, other) = (try world.table(), try world.table())
    for _ in 0..<50 {
      try one.now(world.request("d/e/f", .read)).release()
      // A limit that is over: still long enough for what is only kept.
      try other.now(world.request("d", .structuralWrite)).release()
    }
  }

  @Test func `readers that come and go without a gap let a directory be moved`() async throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let (one, other) = (try world.table(), try world.table())
    let isOver = Mutex(false)
    let ended = Mutex(0)
    for _ in 0..<2 {
      try BlockingThread.start("reader") {
        while !isOver.withLock({ $0 }) {
          let claim = try? one.acquire(world.request("d/f", .read), waiter: PlainWaiter())
          claim?.release()
        }
        ended.withLock { $0 += 1 }
      }
    }
    for _ in 0..<20 {
      let mover = try Attempt(other, world.request("d", .structuralWrite))
      try await mover.granted().release()
    }
    isOver.withLock { $0 = true }
    try await eventually("readers ended") { ended.withLock { $0 } == 2 }
  }

  @Test func `what is kept is given up by itself`() async throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let table = try world.table()
    try table.now(world.request("d/f", .write)).release()
    try await eventually("all locks are free") {
      try FileSystem.list(world.runtime.appending("nodes")).allSatisfy { name in
        let path = world.runtime.appending("nodes").appending(name)
        let file = try Descriptor.open(path, .readWrite)
        return FileLock.attempt(file.number, .exclusive) == nil
      }
    }
  }

  @Test func `a claim that finds its tree kept holds it like any other`() throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let (one, other) = (try world.table(), try world.table())
    try one.now(world.request("d/f", .read)).release()
    let again = try one.now(world.request("d/f", .read))
    #expect(throws: ClaimFailure.self) { try other.now(world.request("d", .structuralWrite)) }
    again.release()
    try other.now(world.request("d", .structuralWrite)).release()
  }
}
