import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// App, provider and reader in three processes, each killed at each step.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess, .crash))
struct KillTests {
  let world: ProviderWorld
  init() throws {
    world = try ProviderWorld(["a.txt": "whole", "b.txt": "too"], stopAfter: 0, exitAfter: 0)
    try world.placeholders("a.txt", "b.txt")
    try world.world.put("f.txt", "text")
    try world.makeGate()
  }
  var f: String { world.world.path("f.txt") }

  private func kill(_ pid: Int32) {
    #expect(Signal.kill.send(to: pid))
  }
  private func readsWhole(_ name: String = "R") async throws {
    let reader = try await world.peer(name)
    try await reader.run("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    #expect(reader.events("1", "text").map(\.text) == ["whole"])
  }

  // MARK: the provider

  @Test func `a provider killed in a delivery leaves a placeholder and an error`() async throws {
    try world.deliveries("wait")
    let reader = try await world.peer("A")
    try reader.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    try await eventually("half of it") { world.calls("waiting").count == 1 }
    #expect(try world.text(world.storage.appending("a.txt")) == "half")
    try kill(#require(world.process()))
    try await reader.expect("1", "failed")
    #expect(world.exists(world.placeholder("a.txt")))
    try world.deliveries("ok")
    try await readsWhole()
  }

  @Test func `a provider killed while its delivery is read disturbs no reader`() async throws {
    let reader = try await world.peer("A")
    try reader.start("1", .access(.read(world.item("a.txt"), 0, .wait("go"), .get(""))))
    try await reader.expect("1", "waiting")
    try kill(#require(world.process()))
    try reader.signal("go")
    try await reader.expect("1", "done")
    #expect(reader.events("1", "text").map(\.text) == ["whole"])
    // Another process of it delivers the next.
    try await reader.run("2", .access(.read(world.item("b.txt"), 0, .get(""))))
    #expect(reader.events("2", "text").map(\.text) == ["too"])
  }

  @Test func `a provider killed before a write is told of it is started for that`() async throws {
    let writer = try await world.peer("W")
    try writer.start("1", .access(.write(world.item("a.txt"), 0, .wait("go"), .put("", "new"))))
    try await writer.expect("1", "waiting")
    try kill(#require(world.process()))
    try writer.signal("go")
    try await writer.expect("1", "done")
    try await eventually("itemChanged") { world.calls("changed") == ["changed a.txt new"] }
  }

  @Test func `a provider killed while it is shown fails the picker at its answer`() async throws {
    try world.put("confirm", "wait")
    let app = try world.start(
      "picker-peer",
      ["move", "--provider", ProviderWorld.identifier, "--sources", f, "--confirm"]
    )
    try await eventually("half of it") { world.calls("waiting").count == 1 }
    try kill(#require(world.process()))
    let outcome = try await app.end()
    #expect(outcome.lines.contains { $0.hasPrefix("failed providerUnavailable") })
    #expect(try world.world.contents("f.txt") == "text")
  }

  // MARK: the app

  @Test func `an app killed while it shows a provider lets it end`() async throws {
    let app = try world.start(
      "picker-peer",
      ["open", "--provider", ProviderWorld.identifier, "--hang"]
    )
    try await eventually("it is shown") { try app.text("out").contains("hanging") }
    #expect(world.process() != nil)
    app.process.send(.kill)
    app.process.wait()
    try await eventually("the provider's end") { world.process() == nil }
  }

  @Test func `an app killed while a provider takes its file keeps it`() async throws {
    try world.put("confirm", "wait")
    let app = try world.start(
      "picker-peer",
      ["move", "--provider", ProviderWorld.identifier, "--sources", f, "--confirm"]
    )
    try await eventually("half of it") { world.calls("waiting").count == 1 }
    app.process.send(.kill)
    app.process.wait()
    try world.openGate()
    #expect(try world.world.contents("f.txt") == "text")
    try await eventually("the provider's end") { world.process() == nil }
    // And the provider's copy became whole all the same.
    #expect(try world.text(world.storage.appending("f.txt")) == "text")
  }

  @Test func `a user who interrupts leaves a provider that never answers`() async throws {
    try world.put("confirm", "wait")
    let pick = try world.start(
      "filecoord",
      ["pick", "--provider", ProviderWorld.identifier, "--mode=move", f],
      input: "\n"
    )
    try await eventually("half of it") { world.calls("waiting").count == 1 }
    pick.process.send(.interrupt)
    #expect(try await pick.end().status == 130)
    try world.openGate()
    #expect(try world.world.contents("f.txt") == "text")
  }

  // MARK: the reader

  @Test func `a reader killed in its accessor uses the item no more`() async throws {
    let reader = try await world.peer("A")
    try reader.start("1", .access(.read(world.item("a.txt"), 0, .wait("never"))))
    try await reader.expect("1", "waiting")
    #expect(world.calls("stop").isEmpty)
    reader.kill()
    try await eventually("it is let go of") { world.calls("stop") == ["stop a.txt"] }
  }

  @Test func `a reader killed right after it started the provider hinders nobody`() async throws {
    // The program waits at the gate before it greets anybody.
    let program = try World.product("provider-peer").description
    try world.declare(
      "peer.json",
      identifier: ProviderWorld.identifier,
      group: ProviderWorld.group,
      exec: [
        "/bin/sh", "-c",
        "echo slow >> \(world.control)/log; cat \(world.control)/gate; exec \(program) \(world.control)",
      ],
      exitAfter: 0
    )
    let first = try await world.peer("A")
    try first.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    try await eventually("it was started") { world.calls("slow").count == 1 }
    first.kill()
    let second = try await world.peer("B")
    try second.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    #expect(try await second.stays(without: "1", "began"))
    try world.openGate()
    try await second.expect("1", "done")
    #expect(second.events("1", "text").map(\.text) == ["whole"])
    #expect(world.calls("slow").count == 1)
  }

  @Test func `a writer killed in its accessor leaves the item to the next`() async throws {
    let writer = try await world.peer("W")
    try writer.start(
      "1",
      .access(.write(world.item("a.txt"), Writing.forReplacing, .wait("never")))
    )
    try await writer.expect("1", "waiting")
    writer.kill()
    try await readsWhole()
  }
}
