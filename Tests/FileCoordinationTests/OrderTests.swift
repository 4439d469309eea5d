import LinuxSystem
import PeerScript
import TestSupport
import Testing

/// Death and the order of those who wait: statements 20 and 21, field cases I13 and I15.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(3)), .tags(.multiProcess, .crash))
struct OrderTests {
  @Test func `statement 20: a killed holder lets the waiter in at once`() async throws {
    let world = try World { File("f", "text") }
    let a = try await world.peer("A")
    let b = try await world.peer("B")
    let f = world.path("f")
    try a.start("1", .access(.write(f, 0, .wait("never"))))
    try await a.expect("1", "began")
    try b.start("1", .access(.write(f)))
    #expect(try await b.stays(without: "1", "began"))

    a.kill()

    try await b.expect("1", "done", within: .seconds(10))
  }

  @Test func `statement 21: a reader does not overtake a writer that waits`() async throws {
    let world = try World { File("f", "text") }
    let a = try await world.peer("A")
    let b = try await world.peer("B")
    let c = try await world.peer("C")
    let f = world.path("f")
    try a.start("1", .access(.read(f, 0, .wait("go"))))
    try await a.expect("1", "began")
    try b.start("1", .access(.write(f, 0, .wait("go"))))
    try await world.waiters(1)
    try c.start("1", .access(.read(f)))
    try await world.waiters(2)

    try a.signal("go")
    try await b.expect("1", "began")
    try b.signal("go")
    let left = try await b.expect("1", "ended")
    let came = try await c.expect("1", "began")

    #expect(left.time < came.time)
  }

  @Test func `statement 21: nor does it inside one process`() async throws {
    let world = try World { File("f", "text") }
    let a = try await world.peer("A")
    let f = world.path("f")
    try a.start("1", .access(.read(f, 0, .wait("go"))))
    try await a.expect("1", "began")
    try a.start("2", .access(.write(f, 0, .wait("go2"))))
    try await world.waiters(1)
    try a.start("3", .access(.read(f)))
    try await world.waiters(2)

    try a.signal("go")
    try await a.expect("2", "began")
    try a.signal("go2")
    let left = try await a.expect("2", "ended")
    let came = try await a.expect("3", "began")

    #expect(left.time < came.time)
  }

  @Test func `field case I13: a writer gets in although reads overlap for ever`() async throws {
    let world = try World { File("f", "text") }
    let f = world.path("f")
    var readers: [Peer] = []
    for index in 0..<3 { readers.append(try await world.peer("R\(index)")) }
    let writer = try await world.peer("W")
    let reading = Step.access(.read(f, 0, .waitAtMost("never", 0.02)).quiet)
    for reader in readers {
      try reader.start("1", .concurrently([[.times(1000, [reading])], [.times(1000, [reading])]]))
    }
    try await eventually("readers read") { readers.allSatisfy { $0.events("1").count > 4 } }

    let start = try await writer.run("1", .timed([.access(.write(f))]))

    let took = try #require(start.first { $0.name == "took" }.flatMap { Int($0.text) })
    #expect(took < 5000, "milliseconds until the writer was in and out")
  }

  @Test func `field case I15: a stopped holder is waited for`() async throws {
    let world = try World { File("f", "0") }
    let a = try await world.peer("A")
    let b = try await world.peer("B")
    let f = world.path("f")
    try a.start("1", .access(.write(f, 0, .wait("go"))))
    try await a.expect("1", "began")
    try await a.stop()
    try b.start("1", .access(.write(f)))

    // Longer than the 2 s after which a stopped holder of a gate is passed over.
    #expect(try await b.stays(without: "1", "began", for: .seconds(3)))

    a.resume()
    try a.signal("go")
    let left = try await a.expect("1", "ended")
    let came = try await b.expect("1", "began")
    #expect(left.time < came.time)
  }

  /// The clock is set for one of the two by libfaketime, whether it waits or holds.
  @Test(arguments: [true, false])
  func `field case I15: a clock that is set neither ends a wait nor frees a lock`(
    _ isWaiter: Bool
  ) async throws {
    let world = try World { File("f", "0") }
    try world.put("clock", "+0")
    let shim = [
      "LD_PRELOAD=/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
      "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_NO_CACHE=1",
      "FAKETIME_TIMESTAMP_FILE=\(world.path("clock"))",
    ]
    let plain = try await world.peer("A")
    // The shim changes the environment before Swift looks for the arguments, which it does not find.
    let shimmed = try await world.peer("peer", environment: shim)
    let (holder, waiter) = isWaiter ? (plain, shimmed) : (shimmed, plain)
    let f = world.path("f")
    try holder.start("1", .access(.write(f, 0, .wait("go"))))
    try await holder.expect("1", "began")
    try waiter.start("1", .access(.write(f).form(.throwing).limit(30)))
    #expect(try await waiter.stays(without: "1", "began"))

    for offset in ["+1d", "-1d", "+100d"] {
      try world.put("clock", offset)
      // The shim works: another program below it sees that day.
      let day = try ChildProcess(
        FilePath("/bin/sh"),
        ["-c", "test $(date +%j) != $(env -u LD_PRELOAD date +%j)"],
        environment: ["PATH=/usr/bin:/bin"] + shim
      ).wait()
      #expect(day == .exited(0))
      #expect(try await waiter.stays(without: "1", "began"))
      #expect(waiter.events("1", "failed").isEmpty)
    }

    try holder.signal("go")
    let left = try await holder.expect("1", "ended")
    let came = try await waiter.expect("1", "began")
    #expect(left.time < came.time)
  }
}
