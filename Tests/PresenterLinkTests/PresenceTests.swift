import LinuxSystem
import PresenterLink
import TestSupport
import Testing

@Suite(.inTurn, .serialized, .timeLimit(.minutes(1)))
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
}
