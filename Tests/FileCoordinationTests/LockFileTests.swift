import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// The lock files and the directory they are in: field cases I01, I02, I08, I09, I16 and I18.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess, .crash))
struct LockFileTests {
  @Test func `field case I01: a counter of eight processes is exact`() async throws {
    let world = try World { File("f", "0") }
    let f = world.path("f")
    var peers: [Peer] = []
    for index in 0..<8 { peers.append(try await world.peer("P\(index)")) }
    let counting = Step.access(.write(f, 0, .increment("")).quiet)

    for peer in peers { try peer.start("1", .times(100, [counting])) }
    for peer in peers { try await peer.expect("1", "finished", within: .seconds(50)) }

    #expect(try world.contents("f") == "800")
    for peer in peers { #expect(peer.events("1", "error").isEmpty) }
  }

  @Test func `field case I02: a counter is exact while somebody cleans lock files away`()
    async throws
  {
    let names = (0..<8).map { "f\($0)" }
    let world = try World { for name in names { File(name, "0") } }
    var peers: [Peer] = []
    for index in 0..<4 { peers.append(try await world.peer("P\(index)")) }
    // Who holds a file's lock may remove it, in this protocol; it finds most of them free.
    let cleaner = try ChildProcess(
      FilePath("/bin/sh"),
      [
        "-c",
        """
        while :; do
          find "$0/nodes" -type f -exec flock -n {} sh -c 'rm -f "$0" && echo >>"$1/removed"' {} "$0" ';'
        done
        """, world.runtime.description,
      ],
      environment: ["PATH=/usr/bin:/bin"]
    )
    defer { cleaner.send(.kill) }
    let counting = names.map { Step.access(.write(world.path($0), 0, .increment("")).quiet) }

    // Until it has had its chances.
    let removed = world.runtime.appending("removed")
    var rounds = 0
    repeat {
      rounds += 1
      for peer in peers { try peer.start("\(rounds)", .times(10, counting)) }
      for peer in peers { try await peer.expect("\(rounds)", "finished", within: .seconds(50)) }
    } while (FileSystem.exists(removed) ? try FileStatus(of: removed).size : 0) < 10 && rounds < 50

    for name in names { #expect(try world.contents(name) == "\(rounds * 40)") }
    for peer in peers { #expect(peer.events("1", "error").isEmpty) }
    #expect(rounds < 50)
  }

  @Test func `field case I08: nothing is locked or left beside the document`() async throws {
    let duel = try await Duel { Directory("d") { File("f", "text") } }
    let f = duel.world.path("d/f")

    try await duel.expect(.write(f, 0, .put("", "new")), then: .write(f), waits: true)

    #expect(try duel.world.list("d") == ["f"])
    #expect(try duel.world.list() == ["d"])
  }

  @Test(arguments: [Int32(37), 38, 95])
  func `field case I09: locks that fail are a clear error or none, and never a crash`(
    _ number: Int32
  ) async throws {
    let duel = try await Duel { File("f", "0") }
    let f = duel.world.path("f")

    // Once…
    try await duel.a.run("1", .fault("flock", [number]), .access(.write(f, 0, .increment(""))))
    // …and always.
    try await duel.a.run(
      "2",
      .fault("flock", Array(repeating: number, count: 1000)),
      .access(.write(f, 0, .increment("")).form(.throwing).limit(5))
    )

    #expect(duel.a.end == nil)
    for tag in ["1", "2"] {
      let ran = duel.a.events(tag, "done").count
      let failed = duel.a.events(tag, "failed").count
      #expect(ran + failed == 1)
    }
    let ran = duel.a.events("1", "done").count + duel.a.events("2", "done").count
    #expect(try duel.world.contents("f") == "\(ran)")
    try await duel.a.run("3", .clearFaults, .access(.write(f)))
    #expect(duel.a.events("3", "done").count == 1)
  }

  @Test func `descriptors that run out are an error, and all is given back`() async throws {
    let world = try World { File("f", "text") }
    let peer = try await world.peer("A")
    let f = world.path("f")

    try await peer.run(
      "1",
      .fault("openat", Array(repeating: 24, count: 50)),
      .access(.write(f)),
      .clearFaults,
      .access(.write(f))
    )

    #expect(peer.events("1", "done").count >= 1)
    let other = try await world.peer("B")
    try await other.run("1", .access(.write(f)))
    #expect(other.events("1", "done").count == 1)
  }

  @Test
  func `field case I16: what is planted in the directory is refused or replaced, not followed`()
    async throws
  {
    for planted in ["link", "fifo", "directory", "hard link"] {
      let world = try World {
        File("f", "text")
        File("victim", "precious")
      }
      let first = try await world.peer("A")
      let f = world.path("f")
      try await first.run("1", .access(.write(f)))
      try await first.quit()
      let victim = world.files.appending("victim")
      let before = try FileStatus(of: victim)

      for file in try Self.files(below: world.runtime) {
        try FileSystem.removeFile(file)
        switch planted {
        case "link": try FileSystem.makeLink(file, to: victim)
        case "fifo": try FileSystem.makePipe(file)
        case "directory": try FileSystem.makeDirectory(file)
        default: try FileSystem.makeHardLink(file, to: victim)
        }
      }
      let second = try await world.peer("B")
      try await second.run("1", .access(.write(f)))

      #expect(second.end == nil, "\(planted)")
      #expect(
        second.events("1", "done").count + second.events("1", "failed").count == 1,
        "\(planted)"
      )
      #expect(try world.contents("victim") == "precious", "\(planted)")
      let after = try FileStatus(of: victim)
      #expect(after.modified == before.modified, "\(planted)")
      #expect(after.permissions == before.permissions, "\(planted)")
    }
  }

  @Test func `field case I18: writers that are killed leave nothing beside the document`()
    async throws
  {
    let world = try World { Directory("d") { File("f", "0") } }
    let f = world.path("d/f")
    let writing = Step.times(1000, [.access(.write(f, 0, .put("", "1")).quiet)])
    var random = SeededGenerator(seed: 18)

    for round in 0..<6 {
      let peer = try await world.peer("P\(round)")
      try peer.start("1", .note("start"), writing)
      try await peer.expect("1", "note")
      let pause = Duration.milliseconds(Int64.random(in: 1...40, using: &random))
      _ = try await never(for: pause) { peer.end != nil }
      peer.kill()
    }

    #expect(try world.list("d") == ["f"])
    #expect(try world.list() == ["d"])
    let last = try await world.peer("last")
    try await last.run("1", .access(.write(f)))
    #expect(last.events("1", "done").count == 1)
  }

  /// Regular files at any depth, but not the folders of processes that are gone.
  private static func files(below directory: FilePath) throws -> [FilePath] {
    var found: [FilePath] = []
    for name in try FileSystem.list(directory) {
      let path = directory.appending(name)
      switch try FileStatus(of: path).kind {
      case .directory: found += try files(below: path)
      case .regular: found.append(path)
      default: break
      }
    }
    return found
  }
}
