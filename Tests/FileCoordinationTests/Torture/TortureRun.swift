import Foundation
import LinuxSystem
import PeerScript
import TestSupport

/// One run: members work on a tree while some are killed and some are stopped, as a seed decides.
final class TortureRun {
  let seed: UInt64
  let seconds: Double
  let world: World
  private let environment: [String]
  private var random: SeededGenerator
  private var fates: [String: TortureFate] = [:]
  private var members: [(name: String, peer: Peer)] = []
  private var started = 0

  init(seed: UInt64, seconds: Double, environment: [String] = []) throws {
    self.seed = seed
    self.seconds = seconds
    self.environment = environment
    random = SeededGenerator(seed: seed)
    world = try World {
      Directory("tree") {
        Directory("s0") { File("f", "s0f 000000000000") }
        Directory("s1") { File("f", "s1f 000000000000") }
        Link("l", to: "s0")
        for index in 0..<3 {
          Directory("d\(index)") {
            for file in 0..<3 { File("f\(file)", "d\(index)f\(file) 000000000000") }
          }
        }
      }
      Directory("traces")
    }
  }

  /// Runs, waits for all calls to end, and judges.
  ///
  /// `patience` is how long calls may take once the time is over.
  func verdict(patience: Duration = .seconds(40)) async throws -> TortureVerdict {
    let end = MonotonicInstant.now + .seconds(seconds)
    for slot in 0..<4 { try await start(slot, until: end) }
    while MonotonicInstant.now < end { try await disturb(until: end) }
    // All calls end, though others were killed in the middle of theirs.
    do {
      for (name, peer) in members {
        peer.resume()
        try await eventually("the calls of \(name) have ended", within: patience) {
          try self.isDone(name)
        }
      }
    } catch {
      throw NotInTime("seed \(seed), \(try keepTraces()): \(error)\n\(try unfinished())")
    }
    // What is on the way to the witness is waited for, and then not any longer.
    try? await eventually("the notices", within: .seconds(10)) { try self.checker().isQuiet }
    let verdict = try checker().verdict()
    for (name, peer) in members {
      try peer.signal("over-\(name)")
      try await peer.expect("torture", "finished")
    }
    return verdict
  }

  /// Everything is free: a stranger is granted the whole tree, and no lock is left in the kernel.
  func leftovers() async throws -> [String] {
    var found: [String] = []
    let stranger = try await world.peer("stranger")
    let tree = world.path("tree")
    try await stranger.run(
      "1",
      .access(.write(tree, Writing.forMoving).form(.throwing).limit(10))
    )
    if stranger.events("1", "done").isEmpty { found.append("the tree is not free") }
    try await stranger.quit()
    let inodes = try nodes()
    let locks = try Descriptor.open(FilePath("/proc/locks"), .readOnly).readToEnd()
    for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count > 5, words.contains("FLOCK"), let place = words.first(where: isPlace),
        inodes.contains(place.split(separator: ":").last.map(String.init) ?? "")
      {
        found.append(String(line))
      }
    }
    return found
  }

  /// Descriptors of each living member, before and after it worked on.
  func growth() async throws -> [Int] {
    var growth: [Int] = []
    for (name, peer) in members {
      let counting = Step.access(.write(world.path("tree/d1/f1"), 0, .exists("")).quiet)
      try await peer.run("warm", .times(50, [counting]), .countDescriptors)
      try await peer.run("again", .times(100, [counting]), .countDescriptors)
      let before = peer.events("warm", "descriptors").first.flatMap { Int($0.text) }
      let after = peer.events("again", "descriptors").first.flatMap { Int($0.text) }
      guard let before, let after else { throw NotInTime("no count of \(name)") }
      growth.append(after - before)
    }
    return growth
  }

  /// Copies the traces to where they outlive the run, for people; says where.
  func keepTraces() throws -> String {
    let place = "/tmp/torture-\(seed)"
    // What an earlier run of the seed left there.
    try? FileSystem.removeTree(FilePath(place))
    try ChildProcess(FilePath("/bin/cp"), ["-r", world.path("traces"), place]).wait()
    return place
  }

  // MARK: members

  private func start(_ slot: Int, until end: MonotonicInstant) async throws {
    started += 1
    let name = "M\(slot).\(started)"
    let peer = try await world.peer(name, environment: environment)
    fates[name] = TortureFate()
    let left = max(0.1, Double((end - .now).components.seconds) + 0.5)
    try peer.start(
      "torture",
      .torture(
        TortureMember(
          name: name,
          seed: seed &+ UInt64(started) &* 104_729,
          root: world.path("tree"),
          trace: world.path("traces/\(name)"),
          threads: 3,
          seconds: left
        )
      )
    )
    if members.count > slot {
      members[slot] = (name, peer)
    } else {
      members.append((name, peer))
    }
  }

  /// The first member is the witness: nothing happens to it.
  private func disturb(until end: MonotonicInstant) async throws {
    let pause = Int64.random(in: 50...400, using: &random)
    let slot = Int.random(in: 1..<4, using: &random)
    let what = Int.random(in: 0..<100, using: &random)
    let length = Int64.random(in: 10...600, using: &random)
    _ = try await never(for: .milliseconds(pause)) { false }
    let (name, peer) = members[slot]
    switch what {
    case 0..<35:
      fates[name]?.killed = MonotonicInstant.now.nanoseconds
      peer.kill()
      try await start(slot, until: end)
    case 35..<70:
      fates[name]?.wasStopped = true
      peer.send(.stop)
      _ = try await never(for: .milliseconds(what == 69 ? 2500 : length)) { false }
      peer.resume()
    default: break
    }
  }

  // MARK: traces

  private func records(of name: String) throws -> [TortureRecord] {
    let path = FilePath(world.path("traces/\(name)"))
    // A member that was killed at once has written nothing.
    guard let file = try? Descriptor.open(path, .readOnly) else { return [] }
    return String(decoding: try file.readToEnd(), as: UTF8.self)
      .split(separator: "\n").compactMap { TortureRecord(line: $0) }
  }

  private func isDone(_ name: String) throws -> Bool {
    // Reading a whole trace is for those that say they are done.
    let peer = members.first { $0.name == name }?.peer
    guard let peer, !peer.events("torture", "idle").isEmpty else { return false }
    let records = try records(of: name)
    let called = Set(records.filter { $0.kind == .call }.map(\.call))
    let returned = Set(records.filter { $0.kind == .returned }.map(\.call))
    return records.contains { $0.kind == .presenting } && called == returned
  }

  /// What the members that live still wait for.
  private func unfinished() throws -> String {
    try members.flatMap { name, peer -> [String] in
      let records = try records(of: name)
      let returned = Set(records.filter { $0.kind == .returned }.map(\.call))
      let open = records.filter { $0.call != "-" && !returned.contains($0.call) }
      let end = peer.end.map { ", which has ended though nobody here ended it: \($0)" } ?? ""
      return ["\(name), process \(peer.pid)\(end):"] + open.map { "  \($0.line)" }
    }.joined(separator: "\n")
  }

  private func checker() throws -> TortureChecker {
    TortureChecker(
      records: try fates.keys.flatMap { try records(of: $0) },
      fates: fates,
      witness: members[0].name
    )
  }

  // MARK: locks

  private func isPlace(_ word: Substring) -> Bool { word.filter { $0 == ":" }.count == 2 }

  /// Inode numbers of all lock files.
  private func nodes() throws -> Set<String> {
    let directory = world.runtime.appending("nodes")
    return Set(
      try FileSystem.list(directory).map { name in
        String(try FileStatus(of: directory.appending(name)).inode)
      }
    )
  }
}
