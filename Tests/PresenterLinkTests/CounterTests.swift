import CoordinationRuntime
import LinuxSystem
import PresenterLink
import struct Synchronization.Atomic
import TestSupport
import Testing

/// Counters may be too high, never too low.
@Suite(.inTurn, .serialized, .timeLimit(.minutes(2)), .tags(.crash, .multiProcess))
struct CounterTests {
  @Test func `no presenter is missed while others are killed and all is counted anew`() async throws
  {
    let world = try LinkWorld()
    let steady = try await world.peer()
    try await steady.say("present /steady/file", "presented")
    let end = MonotonicInstant.now + .seconds(6)
    var number = 0
    var recounts = 0
    var members: [(LinkPeerProcess, String)] = []

    while MonotonicInstant.now < end {
      let path = "/storm/dir\(number)/file"
      number += 1
      let peer = try await world.peer()
      try await peer.say("churn \(path)", "churning")
      members.append((peer, path))
      for _ in 0..<20 {
        // Fails while lists change all the time, as it may.
        if try world.link.recount() { recounts += 1 }
        #expect(world.link.mayBePresented(world.query("/steady/file")))
        for (_, path) in members {
          #expect(world.link.mayBePresented(world.query(path)), "\(path)")
          #expect(try world.link.peers(presenting: world.query(path)).count == 1, "\(path)")
        }
      }
      if members.count > 2 { members.remove(at: number % 3).0.kill() }
    }
    for (peer, _) in members { peer.kill() }

    #expect(try world.link.everything().map(\.process) == [steady.identity])
    // The steady one may be counting at this very moment, after the deaths it saw.
    try await eventually("counted anew") { try world.link.recount() }
    #expect(world.link.mayBePresented(world.query("/steady/file")))
    for index in 0..<number {
      #expect(!world.link.mayBePresented(world.query("/storm/dir\(index)/file")))
    }
    #expect(!world.link.mayBePresented(PresenceQuery(inside: [FilePath("/storm")])))
    #expect(recounts > 0)
  }

  @Test func `a table that a stranger deleted is made again by whoever misses it`() async throws {
    let world = try LinkWorld()
    let first = try await world.peer()
    try await first.say("present /first", "presented")
    try await first.say("recount", "recounted true")
    try FileSystem.removeFile(world.runtime.path.appending("presence.1"))
    let second = try await world.peer()

    // Somebody who cannot count excludes nothing.
    #expect(world.link.mayBePresented(world.query("/nothing")))
    try await second.say("present /second", "presented")

    for path in ["/first", "/second"] {
      #expect(world.link.mayBePresented(world.query(path)))
      #expect(try world.link.peers(presenting: world.query(path)).count == 1)
    }
    #expect(!world.link.mayBePresented(world.query("/nothing")))
    try await first.say("present /third", "presented")
    #expect(world.link.mayBePresented(world.query("/third")))
  }

  @Test func `counters stay right through adding, moving, withdrawing and recounts in threads`()
    async throws
  {
    let runtime = try TemporaryDirectory()
    let choice = RuntimeDirectory.Choice(
      path: runtime.path.appending("r"),
      isExplicit: true,
      isTemporary: false
    )
    // Each stands for a process: its own mapping, its own list.
    let members = try (0..<4).map { try CounterMember(try RuntimeDirectory(choice), $0) }
    let tally = Tally()

    try await withThrowingTaskGroup(of: Void.self) { group in
      for member in members {
        group.addTask {
          var generator = SplitMix(seed: UInt64(member.number))
          while !tally.stop.load(ordering: .relaxed) {
            try member.step(&generator)
            if let fault = member.fault() { tally.faults.withLock { $0.append(fault) } }
            await Task.yield()
          }
        }
      }
      group.addTask {
        let end = MonotonicInstant.now + .seconds(3)
        while MonotonicInstant.now < end {
          let counted = try recount(members)
          if counted { tally.recounts.add(1, ordering: .relaxed) }
          await Task.yield()
        }
        tally.stop.store(true, ordering: .relaxed)
      }
      try await group.waitForAll()
    }

    #expect(tally.faults.withLock { $0 }.isEmpty)
    #expect(tally.recounts.load(ordering: .relaxed) > 0)
    // Nothing is left behind.
    for member in members { try member.withdrawAll() }
    _ = try recount(members)
    #expect(
      !members[1].page.mayBePresented(PresenceQuery(inside: [FilePath("/")]))
    )
  }
}

/// Counts anew what the members' lists say.
private func recount(_ members: [CounterMember]) throws -> Bool {
  var known: [FilePath: Int] = [:]
  return try members[0].page.recount(evenIfRecent: true) {
    var difference = PresencePage.Difference()
    var now: [FilePath: Int] = [:]
    for path in members.flatMap({ $0.list }) { now[path, default: 0] += 1 }
    for path in Set(now.keys).union(known.keys) {
      let change = (now[path] ?? 0) - (known[path] ?? 0)
      let paths = [FilePath](repeating: path, count: abs(change))
      if change > 0 { difference.added += paths } else { difference.removed += paths }
    }
    known = now
    return difference
  }
}

/// What the threads of one test tell each other.
private final class Tally: Sendable {
  let stop = Atomic<Bool>(false)
  let faults = Mutex<[String]>([])
  let recounts = Atomic<Int>(0)
}

/// One user of the counters, with its list in memory.
private final class CounterMember: Sendable {
  let page: PresencePage
  let number: Int
  private let paths = Mutex<[FilePath]>([])

  init(_ runtime: RuntimeDirectory, _ number: Int) throws {
    page = try PresencePage(runtime)
    self.number = number
  }

  var list: [FilePath] { paths.withLock { $0 } }

  func step(_ generator: inout SplitMix) throws {
    let path = FilePath(
      "/d\(Int.random(in: 0..<3, using: &generator))/\(number)-\(Int.random(in: 0..<20, using: &generator))"
    )
    let known = list
    switch Int.random(in: 0..<3, using: &generator) {
    case 0 where known.count < 30:
      try page.add(path) { paths.withLock { $0.append(path) } }
    case 1 where !known.isEmpty:
      let old = known[Int.random(in: 0..<known.count, using: &generator)]
      try page.move(old, to: path) {
        paths.withLock { paths in
          if let index = paths.firstIndex(of: old) { paths[index] = path }
        }
      }
    case 2 where !known.isEmpty:
      let old = known[Int.random(in: 0..<known.count, using: &generator)]
      try page.remove(old) {
        paths.withLock { paths in
          if let index = paths.firstIndex(of: old) { paths.remove(at: index) }
        }
      }
    default: break
    }
  }

  /// A path of ours that is said to be presented by nobody.
  func fault() -> String? {
    for path in list where !page.mayBePresented(PresenceQuery(exact: [path])) {
      return "\(path) is missed"
    }
    return nil
  }

  func withdrawAll() throws {
    for path in list {
      try page.remove(path) {
        paths.withLock { paths in
          if let index = paths.firstIndex(of: path) { paths.remove(at: index) }
        }
      }
    }
  }
}
