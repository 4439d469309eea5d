import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .serialized, .inTurn, .tags(.multiProcess, .crash))
struct CrashTests {
  @Test func `a holder that is killed lets the waiter in at once`() async throws {
    // Statement 20.
    let world = try ClaimWorld()
    let peer = try await ClaimPeer(world)
    try peer.tell("acquire a s:\(world.path("f"))")
    try await peer.expect("a granted")
    let waiting = try Attempt(try world.table(), world.request("f", .write))
    #expect(try await waiting.keepsWaiting())

    peer.kill()

    try await waiting.granted().release()
  }

  @Test func `a process that is killed at the gate or while asking leaves the way free`()
    async throws
  {
    let world = try ClaimWorld()
    let table = try world.table()
    let (asker, waiter) = (try await ClaimPeer(world), try await ClaimPeer(world))
    try asker.tell("acquire a w:\(world.path("f"))")
    try await asker.expect("a granted")
    try asker.tell("ask a")
    try await asker.expect("a asking")
    try waiter.tell("acquire b w:\(world.path("f"))")
    #expect(try await waiter.stays(without: "b granted"))
    let last = try Attempt(table, world.request("f", .read))

    waiter.kill()
    #expect(try await last.keepsWaiting())
    asker.kill()

    try await last.granted().release()
  }

  @Test func `a stopped gate holder is passed over, a stopped holder is waited for`() async throws {
    // I15.
    let world = try ClaimWorld()
    let (one, other) = (try world.table(), try world.table())
    let holder = try one.now(world.request("f", .read))
    let stopped = try await ClaimPeer(world)
    try stopped.tell("acquire a w:\(world.path("f"))")
    #expect(try await stopped.stays(without: "a granted"))
    try await stopped.stop()

    // It holds the gate and waits for the node. Readers go past, after two seconds.
    let reader = try Attempt(other, world.request("f", .read))
    try await reader.granted().release()

    // Now the node becomes its own, though it is stopped: everybody waits.
    holder.release()
    try await eventually("the stopped one has the node") {
      guard case .waiting? = try self.state(world, of: stopped) else { return false }
      return true
    }
    let late = try Attempt(other, world.request("f", .write))
    #expect(try await late.keepsWaiting())
    stopped.resume()
    try await stopped.expect("a granted")
    try stopped.tell("release a")
    try await late.granted().release()
  }

  private func state(_ world: ClaimWorld, of peer: ClaimPeer) throws -> ClaimReport.State? {
    let runtime = try RuntimeDirectory(
      .init(path: world.runtime, isExplicit: true, isTemporary: false)
    )
    return try ClaimReport.all(in: runtime).first { $0.claim?.process.pid == peer.pid }?.state
  }

  @Test func `eight processes count exactly, while lock files are cleaned away`() async throws {
    // I01 and I02.
    let world = try ClaimWorld()
    try world.makeFile("n", "0")
    var peers: [ClaimPeer] = []
    for _ in 0..<8 { peers.append(try await ClaimPeer(world)) }
    for peer in peers { try peer.tell("count c \(world.path("n")) 150") }
    let runtime = try RuntimeDirectory(
      .init(path: world.runtime, isExplicit: true, isTemporary: false)
    )
    var removed = 0
    try await eventually("all counted", within: .seconds(60)) {
      removed += try Janitor(runtime).clean(limit: 1)
      return peers.allSatisfy { peer in peer.lines.contains { $0.hasPrefix("c ") } }
    }
    for peer in peers { try await peer.expect("c counted") }

    let file = try Descriptor.open(world.path("n"), .readOnly)
    #expect(String(decoding: try file.readToEnd(), as: UTF8.self) == "1200")
    #expect(removed > 0)
  }

  @Test func `a claim that a child inherited outlives its process, and the report names the child`()
    async throws
  {
    // Ruling 11.
    let world = try ClaimWorld()
    let table = try world.table()
    let peer = try await ClaimPeer(world)
    try peer.tell("acquire a w:\(world.path("f")) inherit")
    try await peer.expect("a granted")
    try peer.tell("spawn a")
    let line = try await peer.expect("a spawned")
    let child = Int32(line.split(separator: " ").last ?? "") ?? 0

    peer.kill()

    let waiting = try Attempt(table, world.request("f", .write))
    #expect(try await waiting.keepsWaiting())
    let reports = try ClaimReport.all(in: table.runtime, for: world.path("f"))
    let holders = reports.compactMap { report -> [Int32]? in
      if case .inherited(let processes) = report.state { return processes.map(\.pid) }
      return nil
    }
    #expect(holders == [[child]])
    Signal.kill.send(to: child)
    try await waiting.granted().release()
  }

  @Test func `a child that was only forked holds nothing`() async throws {
    // I06, without exec.
    let world = try ClaimWorld()
    let peer = try await ClaimPeer(world)
    try peer.tell("acquire a w:\(world.path("f"))")
    try await peer.expect("a granted")
    try peer.tell("fork a")
    try await peer.expect("a forked")
    try peer.tell("release a")
    try await peer.expect("a released")

    try world.table().acquire(world.request("f", .write), waiter: PlainWaiter()).release()
  }

  @Test func `a program that is started inside an accessor inherits no lock`() async throws {
    // I06.
    let world = try ClaimWorld()
    let peer = try await ClaimPeer(world)
    try peer.tell("acquire a w:\(world.path("f"))")
    try await peer.expect("a granted")
    try peer.tell("spawn a")
    let line = try await peer.expect("a spawned")
    let child = Int32(line.split(separator: " ").last ?? "") ?? 0

    peer.kill()
    try world.table().acquire(world.request("f", .write), waiter: PlainWaiter()).release()
    Signal.kill.send(to: child)
  }

  @Test func `a storm of signals does not shorten or lengthen a time limit`() async throws {
    // I11.
    let world = try ClaimWorld()
    let holder = try world.table().now(world.request("f", .write))
    let peer = try await ClaimPeer(world)
    try peer.tell("storm x")
    try await peer.expect("x storming")
    try peer.tell("acquire a w:\(world.path("f")) limit=300")
    let isOver = ValueBox<Bool>()
    let (pid, start) = (peer.pid, MonotonicInstant.now)
    try BlockingThread.start("storm") {
      while isOver.get() == nil {
        Signal.user1.send(to: pid)
        ShortPause.run(until: MonotonicInstant.now + .microseconds(200))
      }
    }

    try await peer.expect("a failed the time limit")
    isOver.set(true)
    #expect(MonotonicInstant.now - start >= .milliseconds(295))
    holder.release()
  }

  @Test func `two threads that deadlock across processes: the nested one is told the cycle`()
    async throws
  {
    let world = try ClaimWorld()
    let (a, b) = (try await ClaimPeer(world), try await ClaimPeer(world))
    try a.tell("acquire outer w:\(world.path("x"))")
    try b.tell("acquire outer w:\(world.path("y"))")
    try await a.expect("outer granted")
    try await b.expect("outer granted")
    try a.tell("acquire inner w:\(world.path("y")) within=outer")
    try b.tell("acquire inner w:\(world.path("x")) within=outer")

    try await eventually("one of them was refused") {
      (a.lines + b.lines).contains { $0.hasPrefix("inner failed the access would wait for ever") }
    }
    let (victim, winner) = a.lines.contains { $0.hasPrefix("inner failed") } ? (a, b) : (b, a)
    let text = try await victim.expect("inner failed")
    #expect(text.contains("\(world.path("x"))") && text.contains("\(world.path("y"))"))
    #expect(text.contains("\(a.pid)") && text.contains("\(b.pid)"))
    try victim.tell("release outer")
    try await winner.expect("inner granted")
  }
}
