import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Two users share one directory through FILE_COORDINATION_DIR; processes find theirs whatever their
/// environment is.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct SharingTests {
  private static let isRoot = Environment.user == 0

  private func sharedWorld() throws -> World {
    let world = try World(isShared: true)
    try FileSystem.setGroup(world.runtime, World.group)
    try FileSystem.setPermissions(world.runtime, 0o2770)
    return world
  }

  @Test(.enabled(if: isRoot, "two users need root"))
  func `two users exclude each other, whoever came first`() async throws {
    let world = try sharedWorld()
    let ours = try await world.peer("A")
    let theirs = try await world.peer("N", user: .nobody)
    let f = world.path("f")

    for (number, (first, second)) in [(ours, theirs), (theirs, ours)].enumerated() {
      let tag = "\(number)"
      try first.start(tag, .access(.write(f, 0, .wait("go\(tag)"))))
      try await first.expect(tag, "began")
      try second.start(tag, .access(.write(f)))
      #expect(try await second.stays(without: tag, "began"))
      try first.signal("go\(tag)")
      let left = try await first.expect(tag, "ended")
      let came = try await second.expect(tag, "began")
      #expect(left.time < came.time)
      try await second.expect(tag, "done")
    }
  }

  @Test(.enabled(if: isRoot, "two users need root"))
  func `presenters of one user are asked by the other`() async throws {
    let world = try sharedWorld()
    let ours = try await world.peer("A")
    let theirs = try await world.peer("N", user: .nobody)
    let f = world.path("f")
    try await ours.present(PresenterScript("P", f))
    try await theirs.present(PresenterScript("Q", f))

    try await theirs.run("1", .access(.write(f)))
    try await ours.run("1", .access(.write(f)))

    #expect(
      try await ours.messages(of: "P").filter { $0 == "relinquishToWriter" }.count == 2
    )
    #expect(
      try await theirs.messages(of: "Q").filter { $0 == "relinquishToWriter" }.count == 2
    )
  }

  @Test(.enabled(if: isRoot, "a foreign directory needs root"))
  func `field case I17: a directory that is another user's is refused, not used`() async throws {
    let world = try World(isShared: true)
    // Mode 0700 and root's: nobody cannot enter it, and must not go on without.
    try FileSystem.setPermissions(world.runtime, 0o700)
    let theirs = try await world.peer("N", user: .nobody)

    try await theirs.run("1", .access(.write(world.path("f"))))

    #expect(theirs.events("1", "began").isEmpty)
    #expect(theirs.events("1", "failed").first?.text.contains(world.runtime.description) == true)
  }

  @Test func `a directory that everybody may write to is refused`() async throws {
    let world = try World()
    try FileSystem.setPermissions(world.runtime, 0o777)
    let peer = try await world.peer("A")

    try await peer.run("1", .access(.write(world.path("f"))))

    #expect(peer.events("1", "began").isEmpty)
    #expect(peer.events("1", "failed").first?.text.contains(world.runtime.description) == true)
  }

  @Test func `a process without any variable and a desktop program exclude each other`()
    async throws
  {
    let world = try World { File("f", "text") }
    let bare = try await world.peer("bare", exactly: [])
    let desktop = try await world.peer(
      "desktop",
      exactly: ["XDG_RUNTIME_DIR=\(world.files)", "HOME=/nowhere", "TMPDIR=\(world.files)"]
    )
    let f = world.path("f")
    try bare.start("1", .access(.write(f, 0, .wait("go"))))
    try await bare.expect("1", "began")
    try desktop.start("1", .access(.write(f)))
    #expect(try await desktop.stays(without: "1", "began"))

    try bare.signal("go")

    let left = try await bare.expect("1", "ended")
    let came = try await desktop.expect("1", "began")
    #expect(left.time < came.time)
    #expect(try world.list() == ["f"])
  }
}
