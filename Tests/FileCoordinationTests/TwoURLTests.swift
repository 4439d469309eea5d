import PeerScript
import TestSupport
import Testing

/// Calls with two URLs: statement 59.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct TwoURLTests {
  @Test func `statement 59: (x, y) and (y, x) a thousand times do not deadlock`() async throws {
    let duel = try await Duel {
      File("x", "0")
      File("y", "0")
    }
    let (x, y) = (duel.world.path("x"), duel.world.path("y"))
    func both(_ first: String, _ second: String) -> Step {
      .access(
        .of([.init(.write, first), .init(.write, second)], .increment(x), .increment(y)).quiet
      )
    }

    try duel.a.start("1", .times(1000, [both(x, y)]))
    try duel.b.start("1", .times(1000, [both(y, x)]))
    try await duel.a.expect("1", "finished", within: .seconds(50))
    try await duel.b.expect("1", "finished", within: .seconds(50))

    #expect(try duel.world.contents("x") == "2000")
    #expect(try duel.world.contents("y") == "2000")
  }

  @Test func `a directory and a file in it can be taken in one call`() async throws {
    let duel = try await Duel { Directory("d") { File("f", "text") } }
    let (d, f) = (duel.world.path("d"), duel.world.path("d/f"))

    try await duel.expect(
      .of([.init(.write, f), .init(.write, d, options: Writing.forMoving)]),
      then: .read(f),
      waits: true
    )
    try await duel.expect(.of([.init(.read, d), .init(.write, f)]), then: .read(f), waits: true)
  }

  @Test func `each URL stays with its own option`() async throws {
    let duel = try await Duel {
      File("x", "text")
      File("y", "text")
    }
    let (x, y) = (duel.world.path("x"), duel.world.path("y"))
    let both = Access.of([.init(.read, x), .init(.write, y)])

    try await duel.expect(both, then: .read(x), waits: false)
    try await duel.expect(both, then: .write(x), waits: true)
    try await duel.expect(both, then: .read(y), waits: true)
  }
}
