import LinuxSystem
import TestSupport
import Testing

/// A confined program, its broker and ordinary programs, each a process; a private bus with the real
/// document portal.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess)) struct SandboxTests {
  @Test func `a confined program opens what the user chose, saves it, and nothing else`()
    async throws
  {
    let world = try await SandboxWorld {
      File("chosen.txt", "first")
      File("other.txt", "secret")
    }
    let host = try await world.running()
    // By open(2), before and after: no file of the host.
    for name in ["chosen.txt", "other.txt"] {
      #expect(try await host.ask("peer read \(world.path(name))", "read: ") == "Permission denied")
    }
    #expect(try await host.ask("peer list /root", "list: ") == "Permission denied")
    let own = world.container.appending("own.txt")
    #expect(try await host.ask("peer write \(own) mine", "write: ") == "done")
    #expect(
      try await host.ask("peer write \(world.path("new.txt")) x", "write: ") == "Permission denied"
    )

    _ = try await host.ask("choice \(world.path("chosen.txt"))", "noted")
    let shown = try await host.ask("peer choose", "choose: ")
    #expect(shown.hasSuffix("/chosen.txt") && shown.contains("/doc/by-app/org.example.App/"))
    #expect(try await host.ask("peer start \(shown)", "start: ") == "true")
    #expect(try await host.ask("peer read \(shown)", "read: ") == "first")
    let before = try FileStatus(of: world.files.appending("chosen.txt"))
    #expect(try await host.ask("peer save \(shown) second", "save: ") == "saved")
    #expect(try world.text("chosen.txt") == "second")
    // Safely: a new file took the place of the old one.
    let after = try FileStatus(of: world.files.appending("chosen.txt"))
    #expect(!after.isSameFile(as: before))
    #expect(try await host.ask("peer document \(shown)", "document: ") == "second")

    for name in ["chosen.txt", "other.txt"] {
      #expect(try await host.ask("peer read \(world.path(name))", "read: ") == "Permission denied")
    }
    #expect(try FileSystem.list(world.files).count == 2, "nothing was left beside the document")
  }

  @Test func `what is taken away cannot be opened any more`() async throws {
    let world = try await SandboxWorld { File("a.txt", "text") }
    let host = try await world.running()
    let shown = try await host.ask("grant \(world.path("a.txt"))", "granted ")
    #expect(try await host.ask("peer read \(shown)", "read: ") == "text")
    #expect(try await host.ask("revoke \(world.path("a.txt"))", "revoked ") == "true")
    #expect(try await host.ask("peer read \(shown)", "read: ") != "text")
    #expect(try await host.ask("peer start \(shown)", "start: ") == "false")
    #expect(try await host.ask("revoke \(world.path("a.txt"))", "revoked ") == "false")
  }

  @Test func `a document given for reading cannot be written`() async throws {
    let world = try await SandboxWorld { File("a.txt", "text") }
    let host = try await world.running()
    let shown = try await host.ask("grant-reading \(world.path("a.txt"))", "granted ")
    #expect(try await host.ask("peer read \(shown)", "read: ") == "text")
    #expect(try await host.ask("peer write \(shown) changed", "write: ") != "done")
    #expect(try await host.ask("peer save \(shown) changed", "save: ") != "saved")
    #expect(try world.text("a.txt") == "text")
  }

  @Test func `ruling 10: a confined and an ordinary program exclude each other`() async throws {
    let world = try await SandboxWorld { File("a.txt", "text") }
    let host = try await world.running()
    let plain = try await world.plain()
    let shown = try await host.ask("grant \(world.path("a.txt"))", "granted ")
    let (first, second) = (world.container.appending("go1"), world.container.appending("go2"))
    for pipe in [first, second] { try FileSystem.makePipe(pipe) }

    try host.send("peer hold \(shown) \(first)")
    try await host.expect("holding")
    try plain.send("claim \(world.path("a.txt"))")
    #expect(try await never { plain.lines.contains { $0.hasPrefix("claim: ") } })
    _ = try SharedDescriptor(Descriptor.open(first, .writeOnly))
    try await host.expect("hold: done")
    #expect(try await plain.expect("claim: ") == world.path("a.txt"))

    try plain.send("hold \(world.path("a.txt")) \(second)")
    try await plain.expect("holding")
    try host.send("peer claim \(shown)")
    #expect(try await never { host.lines.contains { $0.hasPrefix("claim: ") } })
    _ = try SharedDescriptor(Descriptor.open(second, .writeOnly))
    try await plain.expect("hold: done")
    // And each keeps its own name for it.
    #expect(try await host.expect("claim: ") == shown)
  }

  @Test func `a bookmark finds the document in the program's next life, also moved`() async throws {
    let world = try await SandboxWorld { File("a.txt", "text") }
    do {
      let host = try await world.running()
      let shown = try await host.ask("grant \(world.path("a.txt"))", "granted ")
      #expect(try await host.ask("peer bookmark \(shown)", "bookmark: ") == "done")
      try await host.end()
    }
    let host = try await world.running()
    let found = try await host.ask("peer resolve", "resolve: ")
    #expect(found.hasSuffix("/a.txt false"), "\(found)")
    let shown = String(found.dropLast(" false".count))
    #expect(try await host.ask("peer start \(shown)", "start: ") == "true")
    #expect(try await host.ask("peer read \(shown)", "read: ") == "text")
    // Taken away meanwhile: the bookmark alone gives nothing.
    _ = try await host.ask("revoke \(world.path("a.txt"))", "revoked ")
    let refused = try await host.ask("peer resolve", "resolve: ")
    #expect(refused.hasPrefix("failed"), "\(refused)")
    try await host.end()
  }

  @Test func `a document that is renamed on the host is followed, and what takes its name is not`()
    async throws
  {
    let world = try await SandboxWorld { Directory("d") { File("a.txt", "text") } }
    let host = try await world.running()
    let shown = try await host.ask("grant \(world.path("d/a.txt"))", "granted ")
    #expect(try await host.ask("peer bookmark \(shown)", "bookmark: ") == "done")

    try FileSystem.rename(world.files.appending("d/a.txt"), to: world.files.appending("d/b.txt"))
    let found = try await host.ask("peer resolve", "resolve: ")
    #expect(found.hasSuffix("/b.txt true"), "\(found)")
    let path = String(found.dropLast(" true".count))
    #expect(try await host.ask("peer start \(path)", "start: ") == "true")
    #expect(try await host.ask("peer read \(path)", "read: ") == "text")

    // Its folder as well.
    #expect(try await host.ask("peer bookmark \(path)", "bookmark: ") == "done")
    try FileSystem.rename(world.files.appending("d"), to: world.files.appending("e"))
    let moved = try await host.ask("peer resolve", "resolve: ")
    #expect(moved.hasSuffix("/b.txt true"), "\(moved)")

    // Taken away by its new path, it stays away.
    #expect(try await host.ask("revoke \(world.path("e/b.txt"))", "revoked ") == "true")
    try FileSystem.rename(world.files.appending("e/b.txt"), to: world.files.appending("e/c.txt"))
    let refused = try await host.ask("peer resolve", "resolve: ")
    #expect(refused.hasPrefix("failed"), "\(refused)")
  }

  @Test func `without the portal the broker hands over descriptors of what was given`() async throws
  {
    let world = try await SandboxWorld {
      File("a.txt", "text")
      File("other.txt", "secret")
      Directory("folder") { File("inside", "too") }
    }
    let host = try await world.running("org.example.App", "descriptors")
    let path = world.path("a.txt")
    #expect(try await host.ask("peer open \(path)", "open: ").hasPrefix("failed"))
    #expect(try await host.ask("grant \(path)", "granted ") == path)
    #expect(try await host.ask("peer open \(path)", "open: ") == "text")
    #expect(try await host.ask("peer open-writing \(path) TE", "open-writing: ") == "done")
    #expect(try world.text("a.txt") == "TExt")
    #expect(try await host.ask("peer read \(path)", "read: ") == "Permission denied")
    #expect(
      try await host.ask("peer open \(world.path("other.txt"))", "open: ").hasPrefix("failed")
    )
    _ = try await host.ask("grant-reading \(world.path("folder"))", "granted ")
    #expect(try await host.ask("peer open \(world.path("folder/inside"))", "open: ") == "too")
    #expect(
      try await host.ask("peer open-writing \(world.path("folder/inside")) x", "open-writing: ")
        .hasPrefix("failed")
    )
    // A renamed file is still the one that was given, whatever has its name.
    try FileSystem.rename(FilePath(path), to: world.files.appending("b.txt"))
    #expect(try await host.ask("peer open \(world.path("b.txt"))", "open: ") == "TExt")
    try File("a.txt", "another").write(into: world.files)
    #expect(try await host.ask("peer open \(path)", "open: ").hasPrefix("failed"))
    // A link that leads out of what was given.
    try FileSystem.makeLink(
      world.files.appending("folder/link"),
      to: world.files.appending("other.txt")
    )
    #expect(
      try await host.ask("peer open \(world.path("folder/link"))", "open: ").hasPrefix("failed")
    )
  }

  @Test func `when the broker is killed, what is asked of it fails at once, and no more`()
    async throws
  {
    let world = try await SandboxWorld { File("a.txt", "text") }
    let host = try await world.running()
    let shown = try await host.ask("grant \(world.path("a.txt"))", "granted ")
    #expect(try await host.ask("peer start \(shown)", "start: ") == "true")
    let program = LineEnd(try #require(host.lines.first { $0.hasPrefix("started ") }))
    host.kill()
    // Its input ended with its host: it leaves by itself.
    try await eventually("the confined program ended") { !program.isAlive }
  }

  @Test func `a confined program that is killed leaves no lock behind`() async throws {
    let world = try await SandboxWorld { File("a.txt", "text") }
    let host = try await world.running()
    let plain = try await world.plain()
    let shown = try await host.ask("grant \(world.path("a.txt"))", "granted ")
    let never = world.container.appending("never")
    try FileSystem.makePipe(never)
    try host.send("peer hold \(shown) \(never)")
    try await host.expect("holding")
    try plain.send("claim \(world.path("a.txt"))")
    #expect(!plain.lines.contains { $0.hasPrefix("claim: ") })
    #expect(try await host.ask("end", "ended ").contains("killed"))
    try await plain.expect("claim: ")
  }
}

/// A process by its line.
private struct LineEnd {
  let identity: ProcessIdentity?
  init(_ line: String) {
    identity = Int32(line.split(separator: " ")[1]).flatMap(ProcessIdentity.init(of:))
  }
  var isAlive: Bool { identity.map { ProcessIdentity(of: $0.pid) == $0 } ?? false }
}
