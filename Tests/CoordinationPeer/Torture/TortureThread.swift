import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

/// One thread of a member: what it does is decided by the seed, when it happens is not.
final class TortureThread: Sendable {
  let member: TortureMember
  let log: TortureLog
  private let index: Int
  private let state: Mutex<State>

  private struct State {
    var random: SeededGenerator
    var calls = 0
  }

  init(_ member: TortureMember, _ index: Int, _ log: TortureLog) {
    self.member = member
    self.index = index
    self.log = log
    state = Mutex(State(random: SeededGenerator(seed: member.seed &+ UInt64(index) &* 7919)))
  }

  func run(until end: MonotonicInstant) {
    while MonotonicInstant.now < end { step() }
  }

  // MARK: chance

  func random(_ range: Range<Int>) -> Int {
    state.withLock { Int.random(in: range, using: &$0.random) }
  }
  func chance(_ percent: Int) -> Bool { random(0..<100) < percent }
  func directory() -> String { "\(member.root)/d\(random(0..<4))" }
  /// How many of a hundred files are those to which a link may lead: more where the link is the matter.
  private static let linkShare =
    Environment.value(of: "TORTURE_LINK_SHARE").flatMap { Int($0.description) } ?? 15

  func file() -> String {
    guard chance(Self.linkShare) else { return "\(directory())/f\(random(0..<3))" }
    // Directories that stay, and a link that leads to one or the other.
    return "\(member.root)/\(["s0", "s1", "l"][random(0..<3)])/f"
  }

  private func nextCall() -> String {
    state.withLock { state in
      state.calls += 1
      return "\(member.name)/\(index)/\(state.calls)"
    }
  }

  // MARK: calls

  private func step() {
    let call = nextCall()
    switch random(0..<100) {
    case 0..<28: read(call)
    case 28..<62: count(call)
    case 62..<67: delete(call)
    case 67..<77: moveFile(call)
    case 77..<83: moveDirectory(call)
    case 83..<90: countTwo(call)
    case 90..<94: upgrade(call)
    case 94..<95: touch(call)
    case 95..<98: turnLink(call)
    default: countInside(call)
    }
  }

  /// The write of a presenter that is asked to save.
  func save(_ url: URL, for presenter: any NSFilePresenter) {
    let call = nextCall()
    perform(call, [(.write, url.path, 0)], by: NSFileCoordinator(filePresenter: presenter)) {
      self.countUp(call, $0[0])
    }
  }

  private func read(_ call: String) {
    let options = chance(50) ? Reading.withoutChanges : Reading.plain
    perform(call, [(.read, file(), options)]) { paths in
      let path = FilePath(paths[0])
      for _ in 0..<2 {
        guard let file = TortureFile(path) else { continue }
        self.log.record(call, .saw, file.words)
        self.linger()
      }
    }
  }

  private func count(_ call: String) {
    let options = [Writing.plain, Writing.forMerging, Writing.metadataOnly][random(0..<3)]
    perform(call, [(.write, file(), options)]) { self.countUp(call, $0[0]) }
  }

  private func countTwo(_ call: String) {
    perform(call, [(.write, file(), 0), (.write, file(), 0)]) { paths in
      for path in Set(paths) { self.countUp(call, path) }
    }
  }

  private func delete(_ call: String) {
    perform(call, [(.write, file(), Writing.forDeleting)]) { paths in
      let path = FilePath(paths[0])
      guard let file = TortureFile(path) else { return }
      self.log.record(call, .saw, file.words)
      self.log.record(call, .deleting, file.identity)
      // Only we may take it away now.
      if (try? FileSystem.removeFile(path)) != nil {
        self.log.record(call, .deleted, file.identity)
      }
    }
  }

  private func moveFile(_ call: String) {
    move(call, file(), file())
  }

  private func moveDirectory(_ call: String) {
    move(call, directory(), directory())
  }

  private func move(_ call: String, _ old: String, _ new: String) {
    guard old != new else { return }
    let coordinator = NSFileCoordinator()
    perform(
      call,
      [(.write, old, Writing.forMoving), (.write, new, Writing.forReplacing)],
      by: coordinator
    ) { paths in
      do {
        try FileSystem.rename(FilePath(paths[0]), to: FilePath(paths[1]), .noReplace)
        coordinator.item(
          at: URL(fileURLWithPath: paths[0]),
          didMoveTo: URL(fileURLWithPath: paths[1])
        )
        self.log.record(call, .moved, paths[0], paths[1])
      } catch {
        // Nothing there, or something is in the way: then nothing was moved.
      }
    }
  }

  private func upgrade(_ call: String) {
    let coordinator = NSFileCoordinator()
    let path = file()
    perform(call, [(.read, path, Reading.withoutChanges)], by: coordinator) { paths in
      if let file = TortureFile(FilePath(paths[0])) { self.log.record(call, .saw, file.words) }
      self.perform("\(call).1", [(.write, paths[0], 0)], by: coordinator) { inner in
        self.countUp(call, inner[0])
      }
    }
  }

  private func countInside(_ call: String) {
    let coordinator = NSFileCoordinator()
    let directory = directory()
    let options = chance(50) ? Writing.forMoving : Writing.plain
    perform(call, [(.write, directory, options)], by: coordinator) { paths in
      let path = "\(paths[0])/f\(self.random(0..<3))"
      self.perform("\(call).1", [(.write, path, 0)], by: coordinator) { inner in
        self.countUp(call, inner[0])
      }
    }
  }

  /// Has the link lead elsewhere, while nobody is inside the tree.
  private func turnLink(_ call: String) {
    perform(call, [(.write, member.root, Writing.forMoving)]) { paths in
      let link = FilePath("\(paths[0])/l")
      let new = FilePath("\(paths[0])/l.new")
      let target = FilePath("s\(self.random(0..<2))")
      do {
        // Only there if a member was killed here.
        try? FileSystem.removeFile(new)
        try FileSystem.makeLink(new, to: target)
        try FileSystem.rename(new, to: link)
      } catch {
        self.log.record(call, .returned, "failed", "accessor", "\(error)")
      }
    }
  }

  /// Where a path leads whose directory may be the link.
  func resolved(_ path: String) -> String {
    let link = "\(member.root)/l"
    // There from the beginning to the end.
    guard path.hasPrefix(link + "/"), let target = try? FileSystem.readLink(FilePath(link)) else {
      return path
    }
    return "\(member.root)/\(target)\(path.dropFirst(link.count))"
  }

  /// Members of one purpose change nothing: what they would leave in the file is theirs.
  private func touch(_ call: String) {
    let coordinator = NSFileCoordinator()
    coordinator.purposeIdentifier = "torture"
    perform(call, [(.write, "\(member.root)/d1/f1", 0)], by: coordinator) { paths in
      if let file = TortureFile(FilePath(paths[0])) { self.log.record(call, .saw, file.words) }
      self.linger()
    }
  }

  // MARK: inside accessors

  private func countUp(_ call: String, _ path: String) {
    let path = FilePath(path)
    guard let file = TortureFile(path) else {
      let new = TortureFile.new(call)
      log.record(call, .will, new.words)
      // The directory may be away: then there is no file.
      if (try? new.write(to: path)) != nil { log.record(call, .made, new.identity) }
      return
    }
    log.record(call, .saw, file.words)
    linger()
    log.record(call, .will, file.next.words)
    do {
      try file.next.write(to: path)
      log.record(call, .did, file.next.words)
    } catch {
      log.record(call, .returned, "failed", "accessor", "\(error)")
    }
  }

  /// Up to a millisecond, now and then longer.
  private func linger() {
    let microseconds = chance(10) ? random(0..<5000) : random(0..<300)
    Signals.shared.wait(for: "never", atMost: Double(microseconds) / 1_000_000)
  }
}
