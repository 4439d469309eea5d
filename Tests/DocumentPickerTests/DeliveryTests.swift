import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// What coordinated accesses make a provider do; app, provider and readers are processes of their own.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2)), .tags(.multiProcess))
struct DeliveryTests {
  @Test func `statement P34: a read of a placeholder waits for its contents`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    let reader = try await world.peer("R")

    // Within the access: afterwards the provider may take the contents away again.
    let placeholder = world.placeholder("a.txt").description
    try await reader.run(
      "1",
      .access(.read(world.item("a.txt"), 0, .get(""), .exists(placeholder)))
    )

    #expect(reader.events("1", "text").map(\.text) == ["whole"])
    #expect(reader.events("1", "exists").map(\.text) == ["no"])
    #expect(world.calls("start") == ["start a.txt"])
  }

  @Test func `statement P34: three readers in three processes cause one delivery`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    try world.deliveries("wait")
    try world.makeGate()
    let readers = try await [world.peer("A"), world.peer("B"), world.peer("C")]
    for reader in readers {
      try reader.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    }
    try await eventually("the delivery began") { world.calls("waiting").count == 1 }
    #expect(try await readers[0].stays(without: "1", "began"))

    try world.openGate()

    for reader in readers {
      try await reader.expect("1", "done")
      #expect(reader.events("1", "text").map(\.text) == ["whole"])
    }
    #expect(world.calls("start") == ["start a.txt"])
    #expect(world.calls("process").count == 1)
  }

  @Test func `statement P35: the provider's error is that of the read, whose accessor never runs`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    try world.deliveries("error")
    let reader = try await world.peer("R")

    try reader.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))

    let failure = try await reader.expect("1", "failed")
    #expect(failure.text.contains("PeerError") && failure.text.contains("42"))
    #expect(reader.events("1", "began").isEmpty)
    #expect(world.exists(world.placeholder("a.txt")))
  }

  @Test(arguments: ["nothing", "half-error"])
  func `statement P35: what a provider did not deliver whole is not taken for it`(_ way: String)
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    try world.deliveries(way)
    let reader = try await world.peer("R")
    try reader.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    try await reader.expect("1", "failed")

    try world.deliveries("ok")
    try await reader.run("2", .access(.read(world.item("a.txt"), 0, .get(""))))

    #expect(reader.events("2", "text").map(\.text) == ["whole"])
  }

  @Test(.tags(.crash), arguments: ["die", "half-die"])
  func `statement P35: a provider that dies midway gives its reader an error`(_ way: String)
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    try world.deliveries(way)
    let reader = try await world.peer("R")
    try reader.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    try await reader.expect("1", "failed")
    #expect(reader.events("1", "began").isEmpty)
    #expect(world.exists(world.placeholder("a.txt")))

    try world.deliveries("ok")
    try await reader.run("2", .access(.read(world.item("a.txt"), 0, .get(""))))

    #expect(reader.events("2", "text").map(\.text) == ["whole"])
    #expect(world.calls("process").count == 2)
  }

  @Test(.tags(.crash)) func `a reader that dies leaves the delivery to the next`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    try world.deliveries("wait")
    try world.makeGate()
    let first = try await world.peer("A")
    let second = try await world.peer("B")
    try first.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    try await eventually("the delivery began") { world.calls("waiting").count == 1 }
    first.kill()
    try second.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    #expect(try await second.stays(without: "1", "began"))

    try world.openGate()

    try await second.expect("1", "done")
    #expect(second.events("1", "text").map(\.text) == ["whole"])
    #expect(world.calls("start") == ["start a.txt"])
  }

  @Test func `a read that is cancelled while the provider delivers ends at once`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    try world.deliveries("wait")
    try world.makeGate()
    let reader = try await world.peer("R")
    try await reader.run("c", .makeCoordinator("C", presenter: nil))
    try reader.start("1", .access(.read(world.item("a.txt"), 0, .get("")).coordinator("C")))
    try await eventually("the delivery began") { world.calls("waiting").count == 1 }

    try await reader.run("2", .cancel(coordinator: "C"))

    let failure = try await reader.expect("1", "failed")
    #expect(failure.text.contains("3072"))
    try world.openGate()
  }

  @Test func `statement P36: a read of metadata makes a placeholder and delivers nothing`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole"])
    let reader = try await world.peer("R")

    try await reader.run(
      "1",
      .access(.read(world.item("a.txt"), Reading.metadataOnly, .exists("")))
    )

    #expect(world.calls("start").isEmpty)
    #expect(world.calls("placeholder") == ["placeholder a.txt"])
    #expect(world.exists(world.placeholder("a.txt")))
  }

  @Test func `statement P33: a write is told to the provider, one of its own purpose is not`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole"])
    let writer = try await world.peer("W")

    try await writer.run("1", .access(.write(world.item("a.txt"), 0, .put("", "first"))))
    try await eventually("itemChanged") { world.calls("changed") == ["changed a.txt first"] }
    try await writer.run(
      "2",
      .access(
        .write(world.item("a.txt"), 0, .put("", "second")).purpose(ProviderWorld.identifier)
      )
    )
    try await writer.run("3", .access(.write(world.item("a.txt"), 0, .put("", "third"))))

    try await eventually("itemChanged") { world.calls("changed").count == 2 }
    #expect(world.calls("changed").last == "changed a.txt third")
  }

  @Test func `a write of a placeholder begins with its contents`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.placeholders("a.txt")
    let writer = try await world.peer("W")

    try await writer.run("1", .access(.write(world.item("a.txt"), 0, .get(""), .append("", "+"))))

    #expect(writer.events("1", "text").map(\.text) == ["whole"])
    try await eventually("itemChanged") { world.calls("changed") == ["changed a.txt whole+"] }
  }

  @Test func `a placeholder is replaced without its contents, and deleted without them`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole", "b.txt": "whole"])
    try world.placeholders("a.txt", "b.txt")
    let writer = try await world.peer("W")

    try await writer.run(
      "1",
      .access(.write(world.item("a.txt"), Writing.forReplacing, .put("", "new")))
    )
    try await writer.run(
      "2",
      .access(.write(world.item("b.txt"), Writing.forDeleting, .delete("")))
    )

    #expect(world.calls("start").isEmpty)
    #expect(!world.exists(world.placeholder("a.txt")) && !world.exists(world.placeholder("b.txt")))
    #expect(try world.text(world.storage.appending("a.txt")) == "new")
    try await eventually("itemChanged") {
      world.calls("changed") == ["changed a.txt new", "changed b.txt (gone)"]
    }
  }

  @Test func `statement P38: an item is let go of when the last user has gone`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"], stopAfter: 0)
    try world.placeholders("a.txt")
    let (a, b) = (try await world.peer("A"), try await world.peer("B"))
    try a.start("1", .access(.read(world.item("a.txt"), 0, .wait("go"))))
    try await a.expect("1", "waiting")
    try b.start("1", .access(.read(world.item("a.txt"), 0, .get(""), .wait("go"))))
    try await b.expect("1", "waiting")
    try a.signal("go")
    try await a.expect("1", "done")
    // The second found it here and asked nobody: the provider cannot begin to stop while it reads.
    try await eventually("another look") { world.calls("stop").isEmpty }
    #expect(world.exists(world.storage.appending("a.txt")))

    try b.signal("go")

    try await eventually("stopped") { world.calls("stop") == ["stop a.txt"] }
    try await eventually("a placeholder") { world.exists(world.placeholder("a.txt")) }
    #expect(!world.exists(world.storage.appending("a.txt")))
  }

  @Test func `statement P38: an item that is presented is not let go of`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"], stopAfter: 0)
    try world.placeholders("a.txt")
    let reader = try await world.peer("R")
    try await reader.run("p", .present(PresenterScript("P", world.item("a.txt"))))

    try await reader.run("1", .access(.read(world.item("a.txt"), 0, .get(""))))

    #expect(try await reader.stays(without: "1", "never"))
    #expect(world.calls("stop").isEmpty)
    try await reader.run("2", .withdraw("P"))
    try await eventually("stopped") { world.calls("stop") == ["stop a.txt"] }
  }

  @Test func `statement P37: what a directory holds is delivered before it is uploaded`()
    async throws
  {
    let world = try ProviderWorld(["a.txt": "whole", "b.txt": "too"])
    try world.placeholders("a.txt", "b.txt")
    let reader = try await world.peer("R")

    try reader.start(
      "1",
      .access(.read(world.storage.description, Reading.forUploading, .exists(""), .wait("go")))
    )
    try await reader.expect("1", "waiting")

    #expect(world.calls("start").sorted() == ["start a.txt", "start b.txt"])
    #expect(try world.text(world.storage.appending("b.txt")) == "too")
    // And a write may begin before the upload ends.
    let writer = try await world.peer("W")
    try await writer.run("2", .access(.write(world.item("a.txt"), 0, .put("", "later"))))
    try reader.signal("go")
    try await reader.expect("1", "done")
  }

  @Test func `a provider that nobody needs ends, and is started again`() async throws {
    let world = try ProviderWorld(["a.txt": "whole", "b.txt": "too"], stopAfter: 0, exitAfter: 0)
    try world.placeholders("a.txt", "b.txt")
    let reader = try await world.peer("R")
    try await reader.run("1", .access(.read(world.item("a.txt"), 0, .get(""))))
    try await eventually("its end") { world.process() == nil }

    try await reader.run("2", .access(.read(world.item("b.txt"), 0, .get(""))))

    #expect(reader.events("2", "text").map(\.text) == ["too"])
    #expect(world.calls("process").count == 2)
  }

  @Test(arguments: [("/nonexistent/program", "/nonexistent/program"), ("/bin/true", "")])
  func `a provider whose program is not there, or ends at once, is an error`(
    _ program: String,
    _ said: String
  ) async throws {
    let world = try ProviderWorld()
    try world.declare(
      "peer.json",
      identifier: ProviderWorld.identifier,
      group: ProviderWorld.group,
      exec: [program]
    )
    try world.placeholders("a.txt")
    let reader = try await world.peer("R")

    try reader.start("1", .access(.read(world.item("a.txt"), 0, .get(""))))

    let failed = try await reader.expect("1", "failed")
    #expect(said.isEmpty || failed.text.contains(said))
  }

  @Test func `files outside of any provider start none`() async throws {
    let world = try ProviderWorld(["a.txt": "whole"])
    try world.world.put("f", "text")
    let reader = try await world.peer("R")

    try await reader.run("1", .access(.read(world.world.path("f"), 0, .get(""))))
    try await reader.run("2", .access(.write(world.world.path("f"), 0, .put("", "x"))))

    #expect(world.log.isEmpty)
  }

  @Test(.tags(.slow)) func `1,000 placeholders read by 4 processes are each provided once`()
    async throws
  {
    let names = (0..<1000).map { "\($0).txt" }
    let world = try ProviderWorld(
      Dictionary(uniqueKeysWithValues: names.map { ($0, "text \($0)") })
    )
    for name in names { try world.placeholders(name) }
    var readers: [Peer] = []
    for number in 0..<4 { readers.append(try await world.peer("\(number)")) }
    for reader in readers {
      let lists = (0..<4).map { part in
        names.indices.filter { $0 % 4 == part }.map { index in
          Step.access(.read(world.item(names[index]), 0, .get("")))
        }
      }
      try reader.start("1", .concurrently(lists))
    }

    for reader in readers {
      try await reader.expect("1", "finished", within: .seconds(90))
      #expect(Set(reader.events("1", "text").map(\.text)) == Set(names.map { "text \($0)" }))
    }
    #expect(world.calls("start").sorted() == names.map { "start \($0)" }.sorted())
  }
}
