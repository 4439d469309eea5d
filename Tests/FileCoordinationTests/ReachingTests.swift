import CoordinationRuntime
import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Presenters that live but cannot be reached, and messages that were lost.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct ReachingTests {
  @Test(arguments: [("socket", Int32(24)), ("socket", 23), ("sendmsg", 90), ("sendmsg", 105)])
  func `a presenter that lives and cannot be asked fails the access`(
    _ call: String,
    _ number: Int32
  ) async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run(
      "1",
      .fault(call, Array(repeating: number, count: 20)),
      .access(.write(f, 0, .put("", "new"))),
      .clearFaults
    )

    let failed = try await pair.a.expect("1", "failed")
    #expect(failed.text.contains("\(pair.p.pid)"))
    #expect(failed.text.contains("could not be asked"))
    #expect(try pair.world.contents("f") == "text")
    try await pair.a.run("2", .access(.write(f, 0, .put("", "new"))))
    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }

  @Test func `a running presenter whose queue is full is no presenter that is gone`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run(
      "1",
      .fault("sendmsg", Array(repeating: 11, count: 20)),
      .access(.write(f, 0, .put("", "new"))),
      .clearFaults
    )

    #expect(try await pair.a.expect("1", "failed").text.contains("takes no more messages"))
    #expect(try pair.world.contents("f") == "text")
  }

  @Test func `a presenter that listens no more is waited for by nobody`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    let peers = pair.world.runtime.appending("peers")
    let folder = try #require(
      FileSystem.list(peers).first { PeerFolder.process(named: $0)?.pid == pair.p.pid }
    )
    // As a cleaner of old sockets may do.
    try FileSystem.removeFile(peers.appending(folder).appending("socket"))

    try await pair.a.run("1", .access(.write(f, 0, .put("", "new"))))

    #expect(try pair.world.contents("f") == "new")
  }

  @Test func `who cannot tell who presents an item does not access it`() async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    // From now on the claim itself opens nothing.
    try await pair.a.run("0", .access(.write(f)), .access(.write(f)))
    try await pair.p.present(PresenterScript("P", f))

    try await pair.a.run(
      "1",
      .fault("openat", Array(repeating: 24, count: 200)),
      .access(.write(f, 0, .put("", "new"))),
      .clearFaults
    )

    #expect(try await pair.a.expect("1", "failed").text.contains("cannot be told"))
    #expect(try pair.world.contents("f") == "text")
  }

  @Test func `after messages were lost every presenter looks again`() async throws {
    let pair = try await Pair {
      File("f", "text")
      File("g", "text")
    }
    try await pair.p.present(PresenterScript("F", pair.world.path("f")))
    try await pair.p.present(PresenterScript("G", pair.world.path("g")))
    let peers = pair.world.runtime.appending("peers")
    let folder = try #require(
      FileSystem.list(peers).first { PeerFolder.process(named: $0)?.pid == pair.p.pid }
    )
    // What somebody leaves there whose message did not fit in the queue.
    let word = try Descriptor.open(peers.appending(folder).appending("overflow"), .writeOnly)
    try word.write([1, 0, 0, 0], at: 0)

    try await pair.a.run("1", .access(.write(pair.world.path("g"))))

    try await pair.p.expect("F", "changed")
  }

  /// Model ask-read-late: it would take the item for its own again while the second one reads.
  @Test func `a presenter gets nothing back while it has promised the item to another`()
    async throws
  {
    let pair = try await Pair { File("f", "text") }
    let b = try await pair.world.peer("B")
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    try pair.a.start("1", .access(.read(f, 0, .wait("go"))))
    try await pair.a.expect("1", "began")
    try b.start("1", .access(.read(f, 0, .wait("go"))))
    try await b.expect("1", "began")

    try pair.a.signal("go")
    try await pair.a.expect("1", "done")
    #expect(try await pair.p.stays(without: "P", "reacquire"))

    try b.signal("go")
    try await b.expect("1", "done")
    try await eventually("both give it back") { pair.p.events("P", "reacquire").count == 2 }
  }

  /// Without being told it would look every ten seconds.
  @Test(arguments: ["mv", "rm"])
  func `a presenter is found in a new runtime directory as soon as the old one is gone`(
    _ how: String
  ) async throws {
    let pair = try await Pair { File("f", "text") }
    let f = pair.world.path("f")
    try await pair.p.present(PresenterScript("P", f))
    let runtime = pair.world.runtime

    if how == "mv" {
      try FileSystem.rename(runtime, to: FilePath("\(runtime)-away"))
    } else {
      try FileSystem.removeTree(runtime)
    }

    let peers = runtime.appending("peers")
    try await eventually("it presents there", within: .seconds(5)) {
      guard FileSystem.exists(peers) else { return false }
      return try FileSystem.list(peers).contains { name in
        FileSystem.exists(peers.appending(name).appending("presenters"))
      }
    }
    let stranger = try await pair.world.peer("S")
    try await stranger.run("1", .access(.write(f, 0, .put("", "new"))))
    try await pair.p.expectMessages(of: "P", ["relinquishToWriter", "changed", "reacquire"])
  }
}
