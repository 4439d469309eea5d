import PeerScript
import TestSupport
import Testing

/// URLs that name no file: statement 58 as field case A12 has it.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct ArgumentTests {
  @Test(arguments: ["bare:/tmp/x", "https://example.org/x", "mailto:someone"])
  func `field case A12: a URL that is no file URL is an error and no accessor runs`(
    _ url: String
  ) async throws {
    let world = try World {}
    let peer = try await world.peer("A")

    for form in [Access.Form.classic, .throwing, .async, .intents] {
      let tag = form.rawValue
      try await peer.run(tag, .access(.write(url).form(form)))
      #expect(peer.events(tag, "began").isEmpty, "\(form)")
      #expect(peer.events(tag, "failed").count == 1, "\(form)")
    }
  }

  @Test func `a file that is not there can be read and written`() async throws {
    let world = try World {}
    let peer = try await world.peer("A")
    let none = world.path("no/such/file")

    try await peer.run("1", .access(.read(none)), .access(.write(none)))

    #expect(peer.events("1", "began").count == 2)
    #expect(peer.events("1", "done").count == 2)
  }

  @Test func `a coordination directory that cannot be used is an error that names it`()
    async throws
  {
    let world = try World { Link("elsewhere", to: "/tmp") }
    let elsewhere = world.path("elsewhere")
    let peer = try await world.peer("A", environment: ["FILE_COORDINATION_DIR=\(elsewhere)"])

    try await peer.run("1", .access(.write(world.path("f"))))

    #expect(peer.events("1", "began").isEmpty)
    let failed = try #require(peer.events("1", "failed").first)
    #expect(failed.text.contains(elsewhere))
  }
}
