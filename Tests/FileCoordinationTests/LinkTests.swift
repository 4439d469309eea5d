import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Links of all kinds: statement 49, field case B10, hard links and bind mounts.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct LinkTests {
  @Test func `statement 49: resolvesSymbolicLink gives the target, else the link`() async throws {
    let world = try World {
      File("f", "text")
      Link("s", to: "f")
    }
    let peer = try await world.peer("A")
    let s = world.path("s")

    try await peer.run(
      "1",
      .access(.read(s)),
      .access(.read(s, Reading.resolvesSymbolicLink))
    )

    #expect(peer.events("1", "began").map(\.text) == [s, world.path("f")])
  }

  @Test func `statement 49: the target is claimed, or the link itself`() async throws {
    let duel = try await Duel {
      File("f", "text")
      Link("s", to: "f")
    }
    let (f, s) = (duel.world.path("f"), duel.world.path("s"))

    try await duel.expect(.write(f), then: .read(s, Reading.resolvesSymbolicLink), waits: true)
    try await duel.expect(.write(f), then: .read(s), waits: false)
    try await duel.expect(.write(s), then: .read(s), waits: true)
  }

  @Test func `one file reached through a linked directory is one item`() async throws {
    let duel = try await Duel {
      Directory("real") { File("f", "text") }
      Link("s", to: "real")
    }

    try await duel.expect(
      .write(duel.world.path("s/f")),
      then: .read(duel.world.path("real/f")),
      waits: true
    )
    try await duel.expect(
      .write(duel.world.path("real/../s/./f")),
      then: .read(duel.world.path("real/f")),
      waits: true
    )
  }

  @Test func `the accessor gets the spelling that was asked for`() async throws {
    let world = try World {
      Directory("real") { File("f", "text") }
      Link("s", to: "real")
    }
    let peer = try await world.peer("A")

    try await peer.run("1", .access(.write(world.path("s/f"))))

    #expect(peer.events("1", "began").map(\.text) == [world.path("s/f")])
  }

  @Test func `field case B10: a presenter hears in its own spelling`() async throws {
    let pair = try await Pair {
      Directory("real") { Directory("d") { File("f", "text") } }
      Link("s", to: "real")
    }
    try await pair.p.present(PresenterScript("P", pair.world.path("s/d")))

    try await pair.a.run("1", .access(.write(pair.world.path("real/d/f"), 0, .put("", "new"))))
    try await pair.p.expectMessages(of: "P", ["subChanged \(pair.world.path("s/d/f"))"])

    try pair.world.put("real/d/f", "by a stranger")
    try await pair.p.expect("P", "subChanged")
    let stranger = try await pair.p.expect("P", "subChanged")
    #expect(stranger.text == pair.world.path("s/d/f"))
  }

  /// The documented rule: an item is its path, so two hard links are two items.
  @Test func `hard links of one file are two items`() async throws {
    let duel = try await Duel { File("f", "text") }
    try FileSystem.makeHardLink(
      duel.world.files.appending("g"),
      to: duel.world.files.appending("f")
    )

    try await duel.expect(
      .write(duel.world.path("f")),
      then: .write(duel.world.path("g")),
      waits: false
    )
    try await duel.expect(
      .write(duel.world.path("f")),
      then: .write(duel.world.path("f")),
      waits: true
    )
  }

  @Test(
    .enabled(if: Environment.user == 0, "a mount namespace needs root")
  )
  func `bind mounts: the same path excludes from another mount namespace`() async throws {
    let world = try World {
      Directory("real") { File("f", "text") }
      Directory("bound")
    }
    let a = try await world.peer("A")
    let b = try await world.peer(
      "B",
      below: "/usr/bin/unshare",
      [
        "--mount", "--", "/bin/sh", "-c",
        "mount --bind \(world.path("real")) \(world.path("bound")) && exec \"$@\"", "sh",
      ]
    )
    try a.start("1", .access(.write(world.path("real/f"), 0, .wait("go"))))
    try await a.expect("1", "began")

    // Seen through the bind mount it is the same file…
    try await b.run("text", .get(world.path("bound/f")))
    #expect(b.events("text", "text").map(\.text) == ["text"])
    // …and its own path excludes as ever.
    try b.start("1", .access(.write(world.path("real/f"))))
    #expect(try await b.stays(without: "1", "began"))
    // The documented rule: a second path to a file is a second item.
    try await b.run("2", .access(.write(world.path("bound/f"))))
    #expect(b.events("2", "done").count == 1)

    try a.signal("go")
    try await b.expect("1", "done")
  }

  @Test func `names that are not UTF-8 and odd ones are coordinated like any other`()
    async throws
  {
    let duel = try await Duel { File("f", "text") }
    for name in ["ü", "a b", "100%", "new\nline", "ü/../f", String(repeating: "x", count: 255)] {
      let path = duel.world.path(name)
      try await duel.expect(.write(path), then: .read(path), waits: true, "\(name)")
    }
    // The same letters composed and decomposed are two names on Linux.
    try await duel.expect(
      .write(duel.world.path("\u{fc}")),
      then: .write(duel.world.path("u\u{308}")),
      waits: false
    )
  }
}
