import PeerScript
import TestSupport
import Testing

/// A thread that waits serves its own queue: field cases A03, A08, A09, A11 and B12.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct ServingTests {
  @Test func `field case A08: main writes for nobody while a main-queue presenter is asked`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(PresenterScript("P", f).queue(.main))

    try await peer.run("1", .onMain([.access(.write(f, Writing.forMoving))]))

    #expect(peer.events("1", "done").count == 1)
    #expect(
      try await peer.messages(of: "P").filter { $0 != "changed" } == [
        "relinquishToWriter", "reacquire",
      ]
    )
  }

  @Test func `field case A09: main deletes below a main-queue presenter of the directory`()
    async throws
  {
    let world = try World { Directory("d") { File("f", "text") } }
    let peer = try await world.peer("A")
    let f = world.path("d/f")
    try await peer.present(PresenterScript("P", world.path("d")).queue(.main))

    try await peer.run("1", .onMain([.access(.write(f, Writing.forDeleting, .delete("")))]))

    #expect(!world.exists("d/f"))
    // Ruling 3: nothing waited for, and the notice arrives.
    try await peer.expectMessages(of: "P", ["subChanged \(f)"])
  }

  @Test func `field case A03: one of two main-queue presenters writes over the other's file`()
    async throws
  {
    let world = try World {
      File("a.txt", "a")
      File("b.txt", "b")
    }
    let peer = try await world.peer("A")
    let a = world.path("a.txt")
    try await peer.present(
      PresenterScript("A", a).queue(.main).on(
        .changed,
        [.access(.read(a, 0, .get("")).presenter("A"))]
      )
    )
    try await peer.present(PresenterScript("B", world.path("b.txt")).queue(.main))

    try await peer.run("1", .onMain([.access(.write(a, 0, .put("", "b")).presenter("B"))]))

    #expect(peer.events("1", "done").count == 1)
    let reloaded = try await peer.expect("A", "text")
    #expect(reloaded.text == "b")
    try await peer.expectMessages(of: "B", [])
  }

  @Test func `a presenter's queue that waits for its own presenter serves it`() async throws {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(PresenterScript("P", f))

    try await peer.run("1", .onQueue(of: "P", [.access(.read(f))]))

    #expect(peer.events("1", "done").count == 1)
    try await peer.expectMessages(of: "P", ["relinquishToReader", "save", "reacquire"])
  }

  @Test func `two processes whose main threads ask each other both go on`() async throws {
    let duel = try await Duel {
      File("x", "0")
      File("y", "0")
    }
    let (x, y) = (duel.world.path("x"), duel.world.path("y"))
    try await duel.a.present(PresenterScript("X", x).queue(.main))
    try await duel.b.present(PresenterScript("Y", y).queue(.main))

    try duel.a.start("1", .onMain([.times(50, [.access(.write(y, 0, .increment("")).quiet)])]))
    try duel.b.start("1", .onMain([.times(50, [.access(.write(x, 0, .increment("")).quiet)])]))
    try await duel.a.expect("1", "finished", within: .seconds(40))
    try await duel.b.expect("1", "finished", within: .seconds(40))

    #expect(duel.a.events("1", "failed").isEmpty)
    #expect(duel.b.events("1", "failed").isEmpty)
    #expect(try duel.world.contents("x") == "50")
    #expect(try duel.world.contents("y") == "50")
  }

  @Test func `main waits for another process and is asked meanwhile`() async throws {
    let duel = try await Duel {
      File("x", "text")
      File("y", "text")
    }
    let (x, y) = (duel.world.path("x"), duel.world.path("y"))
    try await duel.a.present(PresenterScript("X", x).queue(.main))
    // B holds y, which A's main thread waits for, and then asks A's presenter of x.
    try duel.b.start("1", .access(.write(y, 0, .wait("go"), .access(.write(x)))))
    try await duel.b.expect("1", "waiting")
    try duel.a.start("1", .onMain([.access(.write(y))]))
    try await duel.world.waiters(1)

    try duel.b.signal("go")

    try await duel.b.expect("1", "finished")
    try await duel.a.expect("1", "finished")
    #expect(duel.b.events("1", "failed").isEmpty)
    #expect(duel.a.events("1", "failed").isEmpty)
    #expect(duel.a.events("X", "relinquishToWriter").count == 1)
  }

  @Test func `accessors of queued accesses run on a main queue that waits`() async throws {
    let world = try World { File("f", "0") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(PresenterScript("P", f).queue(.main))

    try peer.start("1", .onMain([.times(20, [.access(.write(f, 0, .increment("")).quiet)])]))
    try await peer.run(
      "2",
      .times(20, [.access(.write(f, 0, .increment("")).form(.intents).quiet)])
    )
    try await peer.expect("1", "finished")

    #expect(try world.contents("f") == "40")
  }

  @Test func `field case A11: saves from main and from the background all end`() async throws {
    let world = try World { File("f", "0") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(PresenterScript("P", f).queue(.main))
    let save = Step.access(.write(f, 0, .put("", "saved")).presenter("P").quiet)
    let autosave = Step.access(.write(f, 0, .put("", "auto")).presenter("P").form(.intents).quiet)

    try peer.start("1", .times(200, [autosave]))
    try await peer.run("2", .onMain([.times(200, [save])]))
    try await peer.expect("1", "finished")

    #expect(peer.events("1", "failed").isEmpty)
    #expect(peer.events("2", "failed").isEmpty)
  }

  @Test func `field case B12: with the presenter passed, no callback while a mutex is held`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(
      PresenterScript("P", f).on(.relinquishToWriter, [.locked("m", [])])
    )

    try await peer.run("1", .locked("m", [.access(.write(f).presenter("P"))]))

    #expect(peer.events("1", "done").count == 1)
    try await peer.expectMessages(of: "P", [])
  }

  @Test func `field case B12: without it, the callback comes on its queue and the call ends`()
    async throws
  {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")
    try await peer.present(
      PresenterScript("P", f).on(.relinquishToWriter, [.locked("m", [])])
    )

    try await peer.run(
      "1",
      .presenterLimit(0.5),
      .locked("m", [.access(.write(f))])
    )

    // The client's own deadlock: nothing can be granted, but nothing hangs and the error says who.
    let failed = try await peer.expect("1", "failed")
    #expect(failed.text.contains("ScriptedPresenter in this process"))
    #expect(try await peer.messages(of: "P").first == "relinquishToWriter")
  }
}
