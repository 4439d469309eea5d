import FileWatching
import LinuxSystem
import TestSupport
import Testing

/// One run of a case: its places, its watchers and what they were told.
final class CaseRun: Sendable {
  private let base: TemporaryDirectory
  private let elsewhere: TemporaryDirectory
  private let monitor: ChangeMonitor
  private let watchCase: WatchCase
  private let isLossy: Bool

  init(_ watchCase: WatchCase, _ monitor: ChangeMonitor, isLossy: Bool) throws {
    base = try TemporaryDirectory(in: FilePath("/dev/shm"))
    elsewhere = try TemporaryDirectory(in: FilePath("/tmp"))
    self.watchCase = watchCase
    self.monitor = monitor
    self.isLossy = isLossy
    try FileTree.write(into: base.path) {
      Directory("w")
      Directory("out")
    }
  }

  private var work: FilePath { base.path.appending("w") }

  func run() async throws {
    for command in watchCase.given { try await shell(command) }
    let logs = watchCase.watches.map { _ in EventLog() }
    let tokens = zip(watchCase.watches, logs).map { watch, log in
      monitor.watch(path(watch.path), scope: watch.scope) { log.add($0) }
    }
    defer { for token in tokens { monitor.unwatch(token) } }
    // Until everything was looked at, lost records are made good by times, and "given" was just now.
    repeat { await monitor.settle() } while monitor.statistics.unseen > 0
    await monitor.settle()
    for log in logs { _ = log.take() }
    var models = try watchCase.watches.map { try ListingModel(path($0.path), $0.scope) }
    for step in watchCase.steps {
      try await perform(step.command)
      await monitor.settle()
      let told = logs.map { $0.take() }
      for index in models.indices { models[index].apply(told[index]) }
      compare(step, told)
    }
    for (model, watch) in zip(models, watchCase.watches) where watch.scope == .tree {
      let there = try model.onDisk()
      if model.paths != there {
        Issue.record(
          """
          \(watchCase.name): the events of \(watch.path) do not give what is there
          missing \(there.subtracting(model.paths).map(text).sorted())
          wrong \(model.paths.subtracting(there).map(text).sorted())
          """
        )
      }
    }
  }

  /// Where records are to be lost, the monitor is held up until all are there.
  private func perform(_ command: String) async throws {
    let gate = Gate()
    if isLossy { monitor.onThread { gate.wait() } }
    try await shell(command) { gate.open() }
  }

  private func shell(_ command: String, afterwards: @escaping @Sendable () -> Void = {})
    async throws
  {
    let script = """
      export LC_ALL=C OUT=\(base.path)/out AWAY=\(elsewhere.path)
      cd \(work) && exec >>/dev/null 2>&1
      \(command)
      """
    let end = try await onThread { () throws(SystemError) in
      // By this thread: those of tasks may all be waiting for the monitor.
      defer { afterwards() }
      return try ChildProcess(FilePath("/bin/sh"), ["-ec", script]).wait()
    }
    if end != .exited(0) { Issue.record("\(watchCase.name): \(command): \(end)") }
  }

  private func compare(_ step: WatchCase.Step, _ told: [[ChangeEvent]]) {
    for (index, events) in told.enumerated() {
      var left = events.filter { !$0.isAboutQueue }.map(text)
      var missing: [String] = []
      let expected = step.expected.filter { $0.watcher == index + 1 }
      for expectation in expected where applies(expectation) && !expectation.isOptional {
        if let at = left.firstIndex(of: expectation.event) {
          left.remove(at: at)
        } else {
          missing.append(expectation.event)
        }
      }
      for expectation in expected where applies(expectation) && expectation.isOptional {
        if let at = left.firstIndex(of: expectation.event) { left.remove(at: at) }
      }
      // Where records are lost a change may be told twice; never one that was not.
      if isLossy {
        left.removeAll { event in
          expected.contains { $0.event == event && event.contains("changed") }
        }
      }
      if missing.isEmpty, left.isEmpty { continue }
      Issue.record(
        """
        \(watchCase.name), watcher \(index + 1)\(isLossy ? ", records lost" : ""): \(step.command)
        missing \(missing) too many \(left) of \(events.map(text))
        """
      )
    }
  }

  private func applies(_ expectation: WatchCase.Expectation) -> Bool {
    switch expectation.need {
    case .always: true
    case .exact: !isLossy
    case .lossy: isLossy
    }
  }

  // MARK: names

  private func path(_ word: String) -> FilePath { word == "." ? work : work.appending(word) }

  private func text(_ event: ChangeEvent) -> String {
    switch event {
    case .itemChanged: "changed"
    case .itemAttributesChanged: "attributes"
    case .itemMoved(let path): "moved-itself -> \(text(path))"
    case .itemDeleted: "deleted"
    case .itemReturned: "returned"
    case .subitemAppeared(let path): "appeared \(text(path))"
    case .subitemChanged(let path): "changed \(text(path))"
    case .subitemDeleted(let path): "deleted \(text(path))"
    case .subitemMoved(let from, let to): "moved \(text(from)) -> \(text(to))"
    case .becameDegraded(let reason): "degraded \(reason)"
    case .recovered: "recovered"
    }
  }

  private func text(_ path: FilePath) -> String {
    let places: [(FilePath, String)] = [
      (work, ""), (base.path.appending("out"), "$OUT/"), (elsewhere.path, "$AWAY/"),
    ]
    for (place, name) in places where path.isInside(place) {
      return name
        + path.bytes.dropFirst(place.count + 1).map { byte in
          byte < 0x80
            ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16)
        }.joined()
    }
    return path.description
  }
}

/// What is below a watched path by its events alone.
struct ListingModel {
  private var root: FilePath
  private(set) var paths: Set<FilePath>

  init(_ root: FilePath, _ scope: WatchScope) throws {
    self.root = root
    paths = scope == .tree ? try Self.listing(root) : []
  }

  mutating func apply(_ events: [ChangeEvent]) {
    for event in events {
      switch event {
      case .itemMoved(let to):
        paths = Set(paths.map { $0.rebased(from: root, to: to) ?? $0 })
        root = to
      case .itemDeleted: paths = []
      default: paths = Listing.paths(paths, after: [event], in: root)
      }
    }
  }

  func onDisk() throws -> Set<FilePath> { try Self.listing(root) }

  private static func listing(_ root: FilePath) throws -> Set<FilePath> {
    do {
      return Set(try Listing.of(root).keys)
    } catch  where error.code == .noEntry {
      return []
    }
  }
}

extension ChangeEvent {
  /// Whether it is about how things are watched.
  fileprivate var isAboutQueue: Bool {
    switch self {
    case .becameDegraded, .recovered: true
    default: false
    }
  }
}
