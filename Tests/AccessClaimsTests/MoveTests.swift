import AccessClaims
import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct MoveTests {
  @Test(arguments: [true, false])
  func `a waiting claim goes along when its item is moved`(inOneProcess: Bool) async throws {
    // Statement 47.
    let world = try ClaimWorld()
    try world.makeFile("f")
    let one = try world.table()
    let other = inOneProcess ? one : try world.table()
    let mover = try one.now(world.request("f", .movingWrite))
    let waiting = try Attempt(other, world.request("f", .read))
    #expect(try await waiting.keepsWaiting())

    try FileSystem.rename(world.path("f"), to: world.path("h"))
    mover.recordMove(from: world.path("f"), to: world.path("h"))
    mover.release()

    let claim = try await waiting.granted()
    #expect(claim.grants[0].path == world.path("h"))
    #expect(claim.grants[0].wasMoved)
    #expect(throws: ClaimFailure.self) { try one.now(world.request("h", .write)) }
    claim.release()
  }

  @Test func `a claim that replaces stays where it is`() async throws {
    // Statement 48.
    let world = try ClaimWorld()
    try world.makeFile("f")
    let (one, other) = (try world.table(), try world.table())
    let mover = try one.now(world.request("f", .movingWrite))
    var request = world.request("f", .structuralWrite)
    request.items[0].followsMoves = false
    let waiting = try Attempt(other, request)
    #expect(try await waiting.keepsWaiting())

    try FileSystem.rename(world.path("f"), to: world.path("h"))
    mover.recordMove(from: world.path("f"), to: world.path("h"))
    mover.release()

    #expect(try await waiting.granted().grants[0].path == world.path("f"))
    waiting.claim?.release()
  }

  @Test func `a claim inside a moved directory goes along, through several moves`() async throws {
    let world = try ClaimWorld()
    try world.makeDirectory("d/e")
    try world.makeFile("d/e/f")
    let (one, other) = (try world.table(), try world.table())
    let mover = try one.now(world.request("d", .movingWrite))
    let waiting = try Attempt(other, world.request("d/e/f", .write))
    #expect(try await waiting.keepsWaiting())

    try FileSystem.rename(world.path("d"), to: world.path("x"))
    mover.recordMove(from: world.path("d"), to: world.path("x"))
    try FileSystem.rename(world.path("x"), to: world.path("y"))
    mover.recordMove(from: world.path("x"), to: world.path("y"))
    mover.release()

    #expect(try await waiting.granted().grants[0].path == world.path("y/e/f"))
    waiting.claim?.release()
  }

  @Test func `a move that was announced before the call is not followed`() throws {
    let world = try ClaimWorld()
    try world.makeFile("f")
    let table = try world.table()
    let mover = try table.now(world.request("f", .movingWrite))
    try FileSystem.rename(world.path("f"), to: world.path("h"))
    mover.recordMove(from: world.path("f"), to: world.path("h"))
    mover.release()

    let claim = try table.now(world.request("f", .write))

    #expect(claim.grants[0].path == world.path("f"))
    #expect(!claim.grants[0].wasMoved)
  }

  @Test func `a move there and back ends where it began`() async throws {
    let world = try ClaimWorld()
    try world.makeFile("f")
    let (one, other) = (try world.table(), try world.table())
    let mover = try one.now(world.request("f", .movingWrite))
    let waiting = try Attempt(other, world.request("f", .read))
    #expect(try await waiting.keepsWaiting())

    for (from, to) in [("f", "g"), ("g", "f")] {
      try FileSystem.rename(world.path(from), to: world.path(to))
      mover.recordMove(from: world.path(from), to: world.path(to))
    }
    mover.release()

    #expect(try await waiting.granted().grants[0].path == world.path("f"))
    waiting.claim?.release()
  }

  @Test func `a directory that is renamed by a stranger while a claim waits is noticed`()
    async throws
  {
    let world = try ClaimWorld()
    try world.makeDirectory("d")
    let (one, other) = (try world.table(), try world.table())
    let holder = try one.now(world.request("d/f", .write))
    let waiting = try Attempt(other, world.request("d/f", .write))
    #expect(try await waiting.keepsWaiting())

    try FileSystem.rename(world.path("d"), to: world.path("e"))
    try FileSystem.makeLink(world.path("d"), to: FilePath("e"))
    holder.release()

    #expect(try await waiting.granted().grants[0].identity.item == world.path("e/f"))
    waiting.claim?.release()
  }
}
