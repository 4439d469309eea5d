import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct NestingTests {
  @Test func `claims of one purpose do not wait for each other`() throws {
    // Statements 18 and 19.
    let world = try ClaimWorld()
    let table = try world.table()

    let write = try table.now(world.request("f", .write, purpose: "p"))
    let second = try table.now(world.request("f", .write, purpose: "p"))
    let read = try table.now(world.request("f", .read, purpose: "p"))

    write.release()
    second.release()
    // The read keeps others out, though the writes are over.
    let other = try world.table()
    #expect(throws: ClaimFailure.self) { try other.now(world.request("f", .write)) }
    try other.now(world.request("f", .read)).release()
    read.release()
    try other.now(world.request("f", .write)).release()
  }

  @Test func `a claim nested in one that holds what it needs gets it at once`() async throws {
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    let outer = try table.now(world.request("f", .write))
    let waiting = try Attempt(other, world.request("f", .write))
    #expect(try await waiting.keepsWaiting())

    try outer.withAccessor {
      try table.now(world.request("f", .read)).release()
      try table.now(world.request("f", .write)).release()
    }

    #expect(waiting.isWaiting)
    outer.release()
    try await waiting.granted().release()
  }

  @Test func `a nested write of what this thread reads for another purpose fails at once`() throws {
    let world = try ClaimWorld()
    let table = try world.table()
    let outer = try table.now(world.request("f", .read))

    _ = outer.withAccessor {
      #expect(throws: ClaimFailure.self) {
        try table.acquire(world.request("f", .write), waiter: PlainWaiter())
      }
    }
    outer.release()
  }

  @Test func `a read of one's own purpose becomes a write`() async throws {
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    let outer = try table.now(world.request("f", .read, purpose: "p"))

    try outer.withAccessor {
      let write = try table.now(world.request("f", .write, purpose: "p"))
      #expect(throws: ClaimFailure.self) { try other.now(world.request("f", .read)) }
      write.release()
      // The read goes on, and readers may join it again.
      #expect(throws: ClaimFailure.self) { try other.now(world.request("f", .write)) }
      let reader = try Attempt(other, world.request("f", .read))
      reader.claim?.release()
    }
    outer.release()
    try await Attempt(other, world.request("f", .write)).granted().release()
  }

  @Test func `an upgrade waits for the readers of others`() async throws {
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    let outer = try table.now(world.request("f", .read, purpose: "p"))
    let reader = try other.now(world.request("f", .read))
    let inProcess = try table.now(world.request("f", .read))

    let upgrade = try Nested(outer, table, world.request("f", .write, purpose: "p"))

    #expect(try await upgrade.keepsWaiting())
    reader.release()
    #expect(try await upgrade.keepsWaiting())
    inProcess.release()
    try await upgrade.granted()
    upgrade.end()
    outer.release()
    try await Attempt(other, world.request("f", .write)).granted().release()
  }

  @Test func `a cancelled upgrade leaves the read in place`() async throws {
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    let outer = try table.now(world.request("f", .read, purpose: "p"))
    let reader = try other.now(world.request("f", .read))
    let upgrade = try Nested(outer, table, world.request("f", .write, purpose: "p"))
    #expect(try await upgrade.keepsWaiting())

    upgrade.waiter.cancel()
    _ = try await upgrade.failed()
    reader.release()

    let writer = try Attempt(other, world.request("f", .write))
    #expect(try await writer.keepsWaiting(), "\(String(describing: writer.failure))")
    outer.release()
    try await writer.granted().release()
  }

  @Test func `of two readers that both want to write only one does`() async throws {
    // I12; model f: the second finds the gate taken.
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    let a = try table.now(world.request("f", .read, purpose: "a"))
    let b = try other.now(world.request("f", .read, purpose: "b"))
    let first = try Nested(a, table, world.request("f", .write, purpose: "a"))
    #expect(try await first.keepsWaiting())

    let second = try Nested(b, other, world.request("f", .write, purpose: "b"))

    guard case .wouldDeadlock = try await second.failed() else {
      Issue.record("not refused but \(String(describing: second.failure))")
      return
    }
    b.release()
    try await first.granted()
    first.end()
    a.release()
  }

  @Test func `reading a directory and then deleting what is in it works`() throws {
    // Model h.
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let table = try world.table()
    let outer = try table.now(world.request("d", .read, purpose: "p"))
    try outer.withAccessor {
      let nested = try table.now(world.request("d/f", .structuralWrite, purpose: "p"))
      try nested.withAccessor {
        try table.now(world.request("d/f", .read, purpose: "p")).release()
        try table.now(world.request("d/f/g", .write, purpose: "p")).release()
      }
      nested.release()
    }
    outer.release()
  }

  @Test func `a cycle through what the thread of an asker serves meanwhile is found`() async throws
  {
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let index = try other.now(world.request("index", .write))
    let failure = ValueBox<ClaimFailure>()
    let isAsking = ValueBox<Bool>()
    try BlockingThread.start("asker") {
      guard let asker = try? one.now(world.request("f", .write)),
        (try? asker.beginAsking(waiter: PlainWaiter())) != nil
      else { return }
      isAsking.set(true)
      // As a presenter's save would that is served by this thread.
      var request = world.request("index", .write)
      let another = ClaimID.next()
      request.passesGatesOf = { [another] }
      if case .failure(let why) = one.result(request, PlainWaiter()) { failure.set(why) }
      asker.release()
    }
    try await eventually("asking") { isAsking.get() == true }

    let nested = try Nested(index, other, world.request("f", .write))

    try await eventually("one of the two gave way") {
      failure.get() != nil || nested.failure != nil
    }
    index.release()
  }

  @Test func `a read and a write of one item in one call do not wait for each other`() throws {
    // A06.
    let world = try ClaimWorld()
    let (table, other) = (try world.table(), try world.table())
    let item = world.path("f")

    let claim = try table.acquire(
      ClaimRequest(
        items: [.init(path: item, access: .read), .init(path: item, access: .write)],
        purpose: .test()
      ),
      waiter: PlainWaiter()
    )

    #expect(claim.grants.map(\.path) == [item, item])
    #expect(throws: ClaimFailure.self) { try other.now(world.request("f", .read)) }
    claim.release()
    try other.now(world.request("f", .write)).release()
  }
}

/// A claim that is made inside the accessor of another, on a thread of its own.
final class Nested: Sendable {
  let waiter = PlainWaiter()
  private let attempt: Outcome
  private final class Outcome: Sendable {
    let value = ValueBox<Result<Claim, ClaimFailure>>()
  }

  init(_ outer: Claim, _ table: ClaimTable, _ request: ClaimRequest) throws {
    attempt = Outcome()
    let (attempt, waiter) = (attempt, waiter)
    try BlockingThread.start("nested") {
      outer.withAccessor { attempt.value.set(table.result(request, waiter)) }
    }
  }

  func keepsWaiting() async throws -> Bool { try await never { self.attempt.value.get() != nil } }

  func granted() async throws {
    try await eventually("granted") { try self.attempt.value.get()?.get() != nil }
  }

  func failed() async throws -> ClaimFailure {
    try await eventually(
      "failed",
      value: {
        if case .failure(let failure)? = self.attempt.value.get() { return failure }
        return nil
      }
    )
  }

  var failure: ClaimFailure? {
    if case .failure(let failure)? = attempt.value.get() { return failure }
    return nil
  }

  func end() {
    if case .success(let claim)? = attempt.value.get() { claim.release() }
  }
}
