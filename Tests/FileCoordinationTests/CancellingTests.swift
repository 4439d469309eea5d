import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// `cancel()`, time limits and task cancellation: statements 51 and 52, field case I11.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct CancellingTests {
  @Test(arguments: [Access.Form.classic, .throwing, .async, .intents])
  func `statement 51: cancelled while it waits, no accessor runs`(
    _ form: Access.Form
  ) async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")
    try duel.b.start("1", .access(.read(f).coordinator("c").form(form)))
    try await duel.world.waiters(1)

    try await duel.b.run("2", .cancel(coordinator: "c"))

    let failed = try await duel.b.expect("1", "failed")
    #expect(failed.text.hasPrefix(cancelled))
    #expect(duel.b.events("1", "began").isEmpty)
    // The cancelled wait holds nothing and takes nothing later.
    try duel.a.signal("go")
    try await duel.a.expect("1", "done")
    try await duel.a.run("2", .access(.write(f)))
  }

  @Test func `statement 51: cancelled inside the accessor, the call returns normally`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    try peer.start("1", .access(.write(world.path("f"), 0, .wait("go")).coordinator("c")))
    try await peer.expect("1", "began")

    try await peer.run("2", .cancel(coordinator: "c"))
    try peer.signal("go")

    try await peer.expect("1", "done")
    #expect(peer.events("1", "failed").isEmpty)
  }

  @Test func `statement 52: a cancelled coordinator runs nothing any more`() async throws {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.run("1", .makeCoordinator("c", presenter: nil), .cancel(coordinator: "c"))

    for form in [Access.Form.classic, .throwing, .async, .intents] {
      let tag = form.rawValue
      try await peer.run(tag, .access(.write(f).coordinator("c").form(form)))
      #expect(peer.events(tag, "began").isEmpty)
      #expect(peer.events(tag, "failed").first?.text.hasPrefix(cancelled) == true)
    }
  }

  @Test func `a cancelled task ends its wait at once`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")
    try duel.b.start("1", .access(.write(f).form(.async).task("t")))
    try await duel.world.waiters(1)

    try await duel.b.run("2", .cancelTask("t"))

    let failed = try await duel.b.expect("1", "failed")
    #expect(failed.text.hasPrefix(cancelled) || failed.text.contains("CancellationError"))
    try duel.a.signal("go")
    try await duel.a.expect("1", "done")
  }

  @Test(arguments: [Access.Form.throwing, .async])
  func `a time limit ends the wait and runs nothing`(_ form: Access.Form) async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")

    try await duel.b.run("1", .timed([.access(.write(f).form(form).limit(0.3))]))

    #expect(duel.b.events("1", "began").isEmpty)
    #expect(duel.b.events("1", "failed").count == 1)
    let took = try #require(duel.b.events("1", "took").first.flatMap { Int($0.text) })
    #expect(took >= 299)
    #expect(took < 5000)
    try duel.a.signal("go")
    try await duel.b.run("2", .access(.write(f).form(form).limit(10)))
    #expect(duel.b.events("2", "done").count == 1)
  }

  @Test func `field case I11: a time limit is kept in a storm of signals`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")
    try await duel.b.run("0", .interruptible)

    try duel.b.start("1", .timed([.access(.write(f).form(.throwing).limit(0.3))]))
    try await eventually("the limit") {
      duel.b.send(.user1)
      return !duel.b.events("1", "took").isEmpty
    }

    let took = try #require(duel.b.events("1", "took").first.flatMap { Int($0.text) })
    #expect(took >= 299)
    #expect(duel.b.events("1", "failed").count == 1)
  }

  @Test func `a time limit covers the presenters' answers too`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f).on(.save, [.neverAnswer]))

    try await pair.a.run("1", .access(.read(f).form(.throwing).limit(0.3)))

    #expect(pair.a.events("1", "failed").count == 1)
    try await pair.p.expect("P", "reacquire")
  }

  @Test func `cancelled waits leave no descriptor and no thread behind`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try duel.a.start("1", .access(.write(f, 0, .wait("go"))))
    try await duel.a.expect("1", "began")
    let waiting = Step.access(.write(f).form(.throwing).limit(0.005).quiet)
    try await duel.b.run("0", .times(10, [waiting]), .countDescriptors)

    try await duel.b.run("1", .times(100, [waiting]), .countDescriptors, .countThreads)

    let before = try #require(duel.b.events("0", "descriptors").first.flatMap { Int($0.text) })
    let after = try #require(duel.b.events("1", "descriptors").first.flatMap { Int($0.text) })
    let threads = try #require(duel.b.events("1", "threads").first.flatMap { Int($0.text) })
    #expect(after <= before + 2)
    #expect(threads < 40)
    try duel.a.signal("go")
  }
}
