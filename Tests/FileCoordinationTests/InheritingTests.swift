import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Children, with and without exec: field case I06.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess, .crash))
struct InheritingTests {
  @Test func `field case I06: a program started in an accessor keeps no lock`() async throws {
    let duel = try await Duel { File("f", "text") }
    let f = duel.world.path("f")
    try await duel.a.present(PresenterScript("P", duel.world.path("g")))
    try duel.a.start("1", .access(.write(f, 0, .spawn("/bin/sleep", ["30"]), .wait("never"))))
    let spawned = try await duel.a.expect("1", "spawned")
    let child = try #require(Int32(spawned.text))
    defer { Signal.kill.send(to: child) }

    let open = try descriptors(of: child)
    duel.a.kill()

    try await duel.b.run("1", .access(.write(f)))
    #expect(duel.b.events("1", "done").count == 1)
    for target in open {
      #expect(!target.contains(duel.world.runtime.description), "\(target)")
      #expect(!target.contains("inotify"), "\(target)")
    }
  }

  @Test func `a forked child that lingers keeps no lock of its parent`() async throws {
    let duel = try await Duel { File("f", "text") }
    let (f, end) = (duel.world.path("f"), duel.world.path("end"))
    try duel.a.start("1", .access(.write(f, 0, .fork(untilExists: end), .wait("go"))))
    try await duel.a.expect("1", "forked")
    // The child sees a directory that is gone as well, if this fails.
    defer { try? duel.world.put("end", "") }

    // While the parent is in its accessor the fork has freed nothing…
    try duel.b.start("1", .access(.write(f)))
    #expect(try await duel.b.stays(without: "1", "began"))
    try duel.a.signal("go")

    // …and afterwards it holds nothing.
    let left = try await duel.a.expect("1", "ended")
    let came = try await duel.b.expect("1", "began")
    #expect(left.time < came.time)
    try await duel.b.expect("1", "done")
  }

  @Test func `a parent that is killed frees all although its forked child lives`() async throws {
    let duel = try await Duel { File("f", "text") }
    let (f, end) = (duel.world.path("f"), duel.world.path("end"))
    try duel.a.start("1", .access(.write(f, 0, .fork(untilExists: end), .wait("never"))))
    try await duel.a.expect("1", "forked")
    // The child sees a directory that is gone as well, if this fails.
    defer { try? duel.world.put("end", "") }

    duel.a.kill()

    try await duel.b.run("1", .access(.write(f)))
    #expect(duel.b.events("1", "done").count == 1)
  }

  @Test func `a forked child coordinates like any other process`() async throws {
    let duel = try await Duel { File("f", "") }
    let f = duel.world.path("f")
    try await duel.a.run("0", .access(.write(f)))
    try duel.b.start("1", .access(.write(f, 0, .wait("go"), .append("", "parent "))))
    try await duel.b.expect("1", "began")

    try duel.a.start("1", .forkWrite(f, "child"))
    try await duel.a.expect("1", "forked")
    #expect(try await never { try duel.world.contents("f").contains("child") })
    try duel.b.signal("go")

    try await eventually("the child wrote") {
      try duel.world.contents("f") == "parent child"
    }
  }

  /// Where the descriptors of a process point.
  private func descriptors(of pid: Int32) throws -> [String] {
    let directory = FilePath("/proc/\(pid)/fd")
    return try FileSystem.list(directory).compactMap { name in
      // A descriptor that was closed in between is none.
      (try? FileSystem.readLink(directory.appending(name)))?.description
    }
  }
}
