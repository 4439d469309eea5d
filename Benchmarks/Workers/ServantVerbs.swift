import BenchmarkHarness
import FileCoordination
import Foundation
import LinuxSystem

/// What a helper process can be told, line by line: a verb and its words.
package final class ServantVerbs {
  private var presenters: [QuietPresenter] = []
  private let queue = QuietPresenter.serialQueue()

  package init() {}

  /// Serves until standard input ends; blocks.
  package func serve() { Servant.serve(answer) }

  private func answer(_ words: [String]) throws -> [Double] {
    guard let verb = words.first else { throw MeasurementError("no verb") }
    let rest = Array(words.dropFirst())
    switch verb {
    case "pair": return [try pair(rest[0], rest[1], count: try number(rest[2]))]
    case "present-tree": present(rest[0], isDirectory: true)
    case "present-file": present(rest[0])
    case "present-files": for path in try files(rest) { present(path) }
    case "present-counting": present(rest[0], board: try Board(opening: FilePath(rest[1])))
    case "echo": try Floors.startEcho(rest[0])
    case "ask": return try AskProbe(rest).measure(rounds: try number(rest[3]))
    case "heap": return try heap(rest)
    case "asked": return [Double(presenters.count { $0.wasAsked })]
    case "changed": return [Double(presenters.count { $0.sawChange })]
    case "repeat": try run(rest[0], rest[1], count: try number(rest[2]))
    case "disturb": try disturb(rest[0], Board(opening: FilePath(rest[1])), try number(rest[2]))
    case "visit": for path in rest { try Access(path).run(writing: true) {} }
    default: throw MeasurementError("unknown verb \(verb)")
    }
    return []
  }

  /// Nanoseconds of one uncontended access, or of one lock file's.
  private func pair(_ kind: String, _ path: String, count: Int) throws -> Double {
    switch kind {
    case "read": try Access(path).pairs(writing: false, count)
    case "write": try Access(path).pairs(writing: true, count)
    case "floor-read": try Floors.openLockPair(path + ".lock", exclusive: false, pairs: count)
    case "floor-write": try Floors.openLockPair(path + ".lock", exclusive: true, pairs: count)
    default: throw MeasurementError("unknown kind of pair \(kind)")
    }
  }

  /// Accesses an item so many times, nothing else.
  private func run(_ kind: String, _ path: String, count: Int) throws {
    let access = Access(path)
    for _ in 0..<count {
      switch kind {
      case "read": try access.run(writing: false) {}
      case "write": try access.run(writing: true) {}
      case "delete": try access.runDeleting()
      default: throw MeasurementError("unknown kind of access \(kind)")
      }
    }
  }

  /// Writes a file in place, uncoordinated, and each time waits until its presenter heard of it.
  private func disturb(_ path: String, _ board: Board, _ count: Int) throws {
    for round in 0..<count {
      let before = board[.turn]
      let file = try Descriptor.open(FilePath(path), .writeOnly)
      try file.write("\(round)\n".utf8)
      _ = consume file
      let limit = MonotonicInstant.now + .seconds(10)
      while board[.turn] == before {
        if MonotonicInstant.now > limit { throw MeasurementError("a change was not reported") }
        Floors.sleep(nanoseconds: 200_000)
      }
    }
  }

  /// Registers presenters of files in one directory at the default limit of descriptors.
  ///
  /// Answers bytes of heap per presenter, without the presenter's own object, and how many there are.
  private func heap(_ words: [String]) throws -> [Double] {
    try Floors.limitDescriptors(to: 1_024)
    let paths = try files(words)
    // What the first presenter of a process sets up is not the price of one more.
    present("\(words[0])/first")
    let made = paths.map { QuietPresenter($0, queue: queue) }
    presenters.reserveCapacity(made.count + 1)
    let before = settledHeap()
    for presenter in made { register(presenter) }
    let after = settledHeap()
    presenters += made
    return [Double(after - before) / Double(made.count), Double(made.count)]
  }

  /// Bytes in use once they stay the same for a fifth of a second.
  private func settledHeap() -> Int {
    var last = Floors.heapInUse
    var calm = 0
    for _ in 0..<500 where calm < 10 {
      Floors.sleep(nanoseconds: 20_000_000)
      let now = Floors.heapInUse
      calm = now == last ? calm + 1 : 0
      last = now
    }
    return last
  }

  private func present(_ path: String, isDirectory: Bool = false, board: Board? = nil) {
    let presenter = QuietPresenter(path, isDirectory: isDirectory, queue: queue, board: board)
    register(presenter)
    presenters.append(presenter)
  }

  private func register(_ presenter: QuietPresenter) {
    NSFileCoordinator.addFilePresenter(presenter)
  }

  /// DIR COUNT: paths of that many files, which are made if they are missing.
  private func files(_ words: [String]) throws -> [String] {
    let count = try number(words[1])
    let paths = (0..<count).map { "\(words[0])/file\($0)" }
    for path in paths where !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    return paths
  }

  private func number(_ word: String) throws -> Int {
    guard let value = Int(word) else { throw MeasurementError("\(word) is no number") }
    return value
  }
}
