import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport
import Testing

@Suite(.inTurn, .serialized, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct PresenceTests {
  @Test func `what is presented is found by exactly those who look for it`() async throws {
    let world = try LinkWorld()
    let file = FilePath("/a/b/c/file")

    #expect(!world.link.mayBePresented(world.query("/a/b/c/file")))
    let peer = try await world.peer()
    try await peer.say("present /a/b/c/file", "presented")

    let queries: [(PresenceQuery, Bool)] = [
      (PresenceQuery(exact: [file]), true),
      (PresenceQuery(exact: [FilePath("/a/b/c")]), false),
      (PresenceQuery(inside: [FilePath("/a/b")]), true),
      (PresenceQuery(inside: [FilePath("/")]), true),
      (PresenceQuery(inside: [file]), false),
      (PresenceQuery(upwards: [FilePath("/a/b/c/file/inner/most")]), true),
      (PresenceQuery(upwards: [FilePath("/a/b/c/other")]), false),
    ]
    for (query, isFound) in queries {
      #expect(world.link.mayBePresented(query) == isFound, "\(query)")
      let found = try world.link.peers(presenting: query)
      #expect(found == (isFound ? [PeerPresence(process: peer.identity, paths: [file])] : []))
    }
  }

  @Test func `moving and withdrawing are seen at once`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /a/old", "presented")
    #expect(try world.link.peers(presenting: world.query("/a/old")).count == 1)

    try await peer.say("move 0 /b/new", "moved")

    #expect(!world.link.mayBePresented(world.query("/a/old")))
    #expect(try world.link.peers(presenting: world.query("/a/old")).isEmpty)
    #expect(try world.link.peers(presenting: world.query("/b/new")).count == 1)

    try await peer.say("withdraw 0", "withdrawn")

    #expect(!world.link.mayBePresented(world.query("/b/new")))
    #expect(try world.link.everything().isEmpty)
  }

  @Test func `a path presented twice is presented until both are withdrawn`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    for _ in 0..<2 { try await peer.say("present /a/f", "presented") }

    try await peer.say("withdraw 0", "withdrawn")
    #expect(try world.link.peers(presenting: world.query("/a/f")).count == 1)
    try await peer.say("withdraw 1", "withdrawn")
    #expect(try world.link.peers(presenting: world.query("/a/f")).isEmpty)
    #expect(!world.link.mayBePresented(world.query("/a/f")))
  }

  @Test func `lists are read again only when one has changed`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /a/f", "presented")
    #expect(try world.link.peers(presenting: world.query("/a/f")).count == 1)
    let list = world.runtime.path.appending("peers")
      .appending("\(peer.identity.pid).\(peer.identity.started)").appending("presenters")
    // Nobody is told of this change.
    try FileSystem.rename(list, to: list.parent?.appending("hidden") ?? list)

    #expect(try world.link.peers(presenting: world.query("/a/f")).count == 1)
    try await peer.say("present /a/g", "presented")

    #expect(try world.link.peers(presenting: world.query("/a/f")).isEmpty)
  }

  @Test func `five thousand presenters take each the time and memory of the first`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("many /warm/up/ 100", "presented")
    func number(_ line: String, _ index: Int) throws -> Int {
      try #require(Int(line.split(separator: " ")[index]))
    }
    let before = try number(try await peer.say("memory", "memory"), 1)

    var ratio = Double.infinity
    // Twice, because the machine may be busy with something else during one of the parts.
    for round in 0..<2 {
      let line = try await peer.say("many /home/user/documents/\(round)/file 5000", "presented")
      ratio = min(ratio, Double(try number(line, 3)) / Double(try number(line, 2)))
    }
    let after = try number(try await peer.say("memory", "memory"), 1)

    #expect(ratio < 4)
    #expect((after - before) * 1024 / 10_000 < 500)
    #expect(try world.link.everything().first?.paths.count == 10_100)
    #expect(
      try world.link.peers(
        presenting: PresenceQuery(inside: [FilePath("/home/user/documents/1")])
      ).first?.paths.count == 5000
    )
  }

  @Test func `a list that is mostly of the past is rewritten and stays right`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /kept", "presented")
    try await peer.say("cycle /home/user/documents/a-long-name-to-fill-the-list 20000", "cycled")

    let list = world.runtime.path.appending("peers")
      .appending("\(peer.identity.pid).\(peer.identity.started)").appending("presenters")
    #expect(try FileStatus(of: list).size < 300_000)
    #expect(try world.link.everything().map(\.paths) == [[FilePath("/kept")]])
    try await peer.say("present /later", "presented")
    #expect(try world.link.peers(presenting: world.query("/later")).count == 1)
  }

  @Test func `presenters of others make hardly any claim look`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    for directory in 0..<20 {
      try await peer.say("many /home/user/project/source/part\(directory)/file 500", "presented")
    }

    var alarms = 0
    for index in 0..<10_000 {
      let path = FilePath("/home/user/letters/2026/month\(index % 12)/letter\(index)")
      if world.link.mayBePresented(PresenceQuery(inside: [path], upwards: [path])) { alarms += 1 }
    }

    #expect(alarms < 10)
  }

  @Test func `a child that was forked presents on its own, and its end is noticed`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /parent", "presented")

    try await peer.say("fork /child", "child ")
    let both = try world.link.everything()
    #expect(Set(both.map(\.paths)) == [[FilePath("/parent")], [FilePath("/child")]])
    #expect(Set(both.map(\.process)).count == 2)
    #expect(try await peer.expect("child ended") == "child ended 0")

    #expect(try world.link.everything().map(\.paths) == [[FilePath("/parent")]])
    // The parent's socket, list and counters are as they were.
    let conversation = try world.link.converse(with: peer.identity)
    try conversation.send(world.ask("/parent"))
    let limit = MonotonicInstant.now + TestLimits.positive
    guard case .message(.answered, _) = try conversation.receive(until: limit) else {
      Issue.record("no answer")
      return
    }
    #expect(!world.link.mayBePresented(world.query("/child")))
  }

  @Test func `a runtime directory that was replaced is noticed, and filled again`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /old", "presented")
    #expect(try world.link.peers(presenting: world.query("/old")).count == 1)
    let away = FilePath("\(world.runtime.path)-away")
    try FileSystem.rename(world.runtime.path, to: away)

    try await peer.say("present /new", "presented")

    try world.link.reattachIfReplaced()
    for path in ["/old", "/new"] {
      #expect(try world.link.peers(presenting: world.query(path)).count == 1)
      let conversation = try world.link.converse(with: peer.identity)
      try conversation.send(world.ask(path))
      let limit = MonotonicInstant.now + TestLimits.positive
      guard case .message(.answered, _) = try conversation.receive(until: limit) else {
        Issue.record("no answer")
        return
      }
    }
  }
}
