import BenchmarkHarness
import CoordinationRuntime
import FileCoordination
import FileWatching
import Foundation
import LinuxSystem
import struct Synchronization.Atomic

/// A process of this program that watches, as the first word says, until its input ends.
struct WatchingHelper {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  func run() throws {
    Floors.dieWithParent()
    guard words.count > 1 else { throw MeasurementError("what is to be watched?") }
    let url = URL(filePath: words[1])
    switch words[0] {
    case "raw": try raw(url)
    case "sequence": sequence(url)
    case "presenter": present(ClockPresenter(url))
    case "create": present(CreationPresenter(url, wanted: try number(2)))
    case "storm": try storm(StormPresenter(url))
    case "tree": try tree(url)
    case "claims": try claims()
    case "echo":
      try Floors.startEcho(words[1])
      Line.say("ready")
      untilTold()
    case "idle":
      DispatchQueue.global().async {}
      Line.say("ready")
      untilTold()
    case "hop": try hop(rounds: try number(1))
    case "dispatch": try dispatch(count: try number(1))
    default: throw MeasurementError("unknown verb \(words[0])")
    }
  }

  private func number(_ index: Int) throws -> Int {
    guard index < words.count, let value = Int(words[index]) else {
      throw MeasurementError("a number is missing")
    }
    return value
  }

  private func raw(_ url: URL) throws {
    let watcher = try FileWatcher(url) { _ in Line.sayTime() }
    Line.say("ready")
    untilTold()
    watcher.stop()
  }

  private func sequence(_ url: URL) {
    Task {
      do {
        let changes = try await FileChanges(of: url)
        Line.say("ready")
        for await _ in changes { Line.sayTime() }
      } catch {
        Line.say("error \(error)")
      }
    }
    untilTold()
  }

  private func present(_ presenter: any NSFilePresenter) {
    NSFileCoordinator.addFilePresenter(presenter)
    Line.say("ready")
    untilTold()
    NSFileCoordinator.removeFilePresenter(presenter)
  }

  /// Says when its listing had as many files as a line on standard input says, once it is right.
  private func storm(_ presenter: StormPresenter) throws {
    NSFileCoordinator.addFilePresenter(presenter)
    Line.say("ready")
    while let line = readLine() { if let count = Int(line) { presenter.expect(count) } }
  }

  /// Says how long it took to present a tree, then how much memory it takes, then times of changes.
  private func tree(_ url: URL) throws {
    let presenter = TimesPresenter(url)
    // What the first presenter of a process sets up is not the tree's.
    let other = TimesPresenter(URL(filePath: words[2]))
    NSFileCoordinator.addFilePresenter(other)
    Line.say("ready")
    guard readLine() != nil else { return }
    let begin = MonotonicInstant.now
    NSFileCoordinator.addFilePresenter(presenter)
    let end = MonotonicInstant.now
    Line.say("\(end.nanoseconds - begin.nanoseconds)")
    untilTold { _ in Line.say("\(AcknowledgedMessages.count())") }
    NSFileCoordinator.removeFilePresenter(presenter)
    NSFileCoordinator.removeFilePresenter(other)
  }

  /// Does what lines say: read or write, how often, what; says nanoseconds of one access.
  private func claims() throws {
    Line.say("ready")
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      guard words.count == 3, let count = Int(words[1]) else { continue }
      let coordinator = NSFileCoordinator()
      let url = URL(filePath: words[2])
      func access() throws {
        var failure: NSError?
        if words[0] == "write" {
          coordinator.coordinate(writingItemAt: url, error: &failure) { _ in }
        } else {
          coordinator.coordinate(readingItemAt: url, error: &failure) { _ in }
        }
        if let failure { throw failure }
      }
      for _ in 0..<count / 10 + 1 { try access() }
      let begin = MonotonicInstant.now.nanoseconds
      for _ in 0..<count { try access() }
      Line.say("\(Double(MonotonicInstant.now.nanoseconds - begin) / Double(count))")
    }
  }

  /// How long it takes from adding an operation to an idle queue until it runs.
  private func hop(rounds: Int) throws {
    let queue = ClockPresenter.serialQueue()
    let times = Mutex<[UInt64]>([])
    for _ in 0..<rounds {
      let begin = MonotonicInstant.now
      queue.addOperation {
        let end = MonotonicInstant.now
        times.withLock { $0.append(end.nanoseconds - begin.nanoseconds) }
      }
      Floors.sleep(nanoseconds: 2_000_000)
    }
    queue.waitUntilAllOperationsAreFinished()
    Line.say("\(Statistics.median(times.withLock { $0 }.map { Double($0) }))")
  }

  /// How long so many operations take, each added as it comes.
  private func dispatch(count: Int) throws {
    let queue = ClockPresenter.serialQueue()
    let done = Atomic<Int>(0)
    let begin = MonotonicInstant.now
    for _ in 0..<count { queue.addOperation { done.add(1, ordering: .relaxed) } }
    queue.waitUntilAllOperationsAreFinished()
    Line.say("\((MonotonicInstant.now.nanoseconds - begin.nanoseconds))")
  }

  private func untilTold(_ each: (String) -> Void = { _ in }) {
    while let line = readLine() { each(line) }
  }
}

/// The messages of others that this process has answered since it was asked first.
private enum AcknowledgedMessages {
  private static let seen = Mutex<Int?>(nil)

  static func count() -> Int {
    if let count = seen.withLock({ $0 }) { return count }
    seen.withLock { $0 = 0 }
    CoordinationTrace.install { event in
      // Of what comes while others claim, these two are answered.
      guard event.kind == .message, event.text.hasPrefix("ask") || event.text.hasPrefix("finished")
      else { return }
      seen.withLock { $0 = ($0 ?? 0) + 1 }
    }
    return 0
  }
}

/// Lines on standard output.
enum Line {
  static func say(_ text: String) { Terminal.say(text) }
  static func sayTime() { say("\(MonotonicInstant.now.nanoseconds)") }
}

/// Says when it was told of a change.
final class ClockPresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL?
  let presentedItemOperationQueue = serialQueue()

  init(_ url: URL) { presentedItemURL = url }

  func presentedItemDidChange() { Line.sayTime() }

  static func serialQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

/// Says when it was told of anything in a tree.
final class TimesPresenter: NSObject, NSFilePresenter, Sendable {
  let presentedItemURL: URL?
  let presentedItemOperationQueue = ClockPresenter.serialQueue()

  init(_ url: URL) { presentedItemURL = url }

  func presentedSubitemDidChange(at url: URL) { say(url) }
  func presentedSubitemDidAppear(at url: URL) { say(url) }
  private func say(_ url: URL) { Line.say("\(MonotonicInstant.now.nanoseconds) \(url.path)") }
}

/// Counts what appears and says when it was enough, and how often something appeared twice.
final class CreationPresenter: NSObject, NSFilePresenter, Sendable {
  private struct State {
    var seen: Set<String> = []
    var doubled = 0
  }
  let presentedItemURL: URL?
  let presentedItemOperationQueue = ClockPresenter.serialQueue()
  private let wanted: Int
  private let state = Mutex(State())

  init(_ url: URL, wanted: Int) {
    presentedItemURL = url
    self.wanted = wanted
  }

  func presentedSubitemDidAppear(at url: URL) {
    let now = MonotonicInstant.now
    let doubled = state.withLock { state -> Int? in
      if !state.seen.insert(url.lastPathComponent).inserted { state.doubled += 1 }
      return state.seen.count == wanted ? state.doubled : nil
    }
    if let doubled { Line.say("\(now.nanoseconds) \(wanted) \(doubled)") }
  }
}

/// Keeps a listing by what it is told, and says when it was right.
final class StormPresenter: NSObject, NSFilePresenter, Sendable {
  private struct State {
    var files: Set<String> = []
    var last: UInt64 = 0
    var wanted: Int?
  }
  let presentedItemURL: URL?
  let presentedItemOperationQueue = ClockPresenter.serialQueue()
  private let state = Mutex(State())

  init(_ url: URL) {
    presentedItemURL = url
    super.init()
    let there = Listing.of(url.path)
    state.withLock { $0.files = there }
  }

  func presentedSubitemDidAppear(at url: URL) { update { $0.insert(url.path) } }

  func presentedSubitemDidChange(at url: URL) {
    let path = url.path
    // A deletion comes as a change of something that is not there.
    let isThere = FileManager.default.fileExists(atPath: path)
    update { if isThere { $0.insert(path) } else { $0.remove(path) } }
  }

  func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
    update {
      $0.remove(oldURL.path)
      $0.insert(newURL.path)
    }
  }

  /// Waits for that many names.
  func expect(_ count: Int) {
    state.withLock { $0.wanted = count }
    update { _ in }
  }

  private func update(_ change: (inout Set<String>) -> Void) {
    let now = MonotonicInstant.now.nanoseconds
    let last = state.withLock { state -> UInt64? in
      let before = state.files.count
      change(&state.files)
      if state.files.count != before { state.last = now }
      return state.wanted == state.files.count ? state.last : nil
    }
    guard let last, let url = presentedItemURL else { return }
    let isRight = state.withLock { $0.files } == Listing.of(url.path)
    guard isRight else { return }
    state.withLock { $0.wanted = nil }
    Line.say("\(last)")
  }
}

/// Every name below a directory.
enum Listing {
  static func of(_ path: String) -> Set<String> {
    // What cannot be listed has no names.
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return Set(names.map { "\(path)/\($0)" })
  }
}
