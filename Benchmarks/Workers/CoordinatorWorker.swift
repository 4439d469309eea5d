import BenchmarkHarness
import Dispatch
import LinuxSystem

/// A worker process over our coordinator; the twin of `lock_worker.h`.
package enum CoordinatorWorker {
  /// Runs what the arguments (BOARD VERB …) say, and blocks; returns an exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    Floors.dieWithParent()
    do {
      let board = try Board(opening: FilePath(arguments[0]))
      let words = Array(arguments.dropFirst(2))
      switch arguments[1] {
      case "uncontended":
        let time = try Access(words[0]).pairs(writing: true, Int(words[1]) ?? 1)
        Terminal.say("\(time)")
      case "contend": try contend(board, words)
      case "first": try handOver(board, words, isFirst: true)
      case "second": try handOver(board, words, isFirst: false)
      default: return UsageError.exitStatus
      }
      return 0
    } catch {
      Terminal.complain("\(error)")
      return 3
    }
  }

  private static func contend(_ board: Board, _ words: [String]) throws {
    let numbers = words.prefix(4).compactMap { Int($0) }
    let (lane, threads, reads, files) = (numbers[0], numbers[1], numbers[2], numbers[3])
    let prefix = words[4]
    let ended = DispatchSemaphore(value: 0)
    let failure = Mutex<String?>(nil)
    for thread in 0..<threads {
      try BlockingThread.start("worker") {
        do {
          try loop(board, lane: lane + thread, reads: reads, files: files, prefix: prefix)
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
        ended.signal()
      }
    }
    for _ in 0..<threads { ended.wait() }
    if let failure = failure.withLock({ $0 }) { throw MeasurementError(failure) }
  }

  private static func loop(
    _ board: Board,
    lane: Int,
    reads: Int,
    files: Int,
    prefix: String
  ) throws {
    let accesses = (0..<files).map { Access("\(prefix)\($0)") }
    for access in accesses {
      for index in 0..<4 { try access.run(writing: index % 2 == 1) {} }
    }
    board[lane, .ready] = 1
    waitForStart(board)
    let stop = board[.stop]
    let hold = board[.hold]
    var random = 0x9E37_79B9_7F4A_7C15 &* UInt64(lane + 1)
    while true {
      let asked = MonotonicInstant.now.nanoseconds
      if asked >= stop { return }
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      let writing = Int(random % 100) >= reads
      let file = Int((random >> 32) % UInt64(files))
      var entered: UInt64 = 0
      try accesses[file].run(writing: writing) {
        entered = MonotonicInstant.now.nanoseconds
        visit(board, file: file, lane: lane, writing: writing, hold: hold)
      }
      board.record(writing: writing, waited: entered - asked, lane: lane)
    }
  }

  /// Inside the accessor: a read-modify-write that any overlap breaks, with the hold in its middle.
  private static func visit(_ board: Board, file: Int, lane: Int, writing: Bool, hold: UInt64) {
    let before = board[counterOf: file]
    if board[writerInside: file] { board[lane, .violations] += 1 }
    if writing { board[writerInside: file] = true }
    Floors.sleep(nanoseconds: hold)
    if writing {
      board[counterOf: file] = before + 1
      board[writerInside: file] = false
    } else if board[counterOf: file] != before || board[writerInside: file] {
      board[lane, .violations] += 1
    }
  }

  private static func handOver(_ board: Board, _ words: [String], isFirst: Bool) throws {
    let access = Access(words[2])
    let lane = Int(words[0]) ?? 0
    try access.run(writing: true) {}
    board[lane, .ready] = 1
    waitForStart(board)
    for round in 1...(UInt64(words[1]) ?? 1) {
      if MonotonicInstant.now.nanoseconds >= board[.stop] { return }
      if isFirst {
        try access.run(writing: true) {
          board[.releasedAt] = 0
          board[.turn] = round
          while board[.waiting] != round { Floors.sleep(nanoseconds: 50_000) }
          Floors.sleep(nanoseconds: board[.gap])
          board[.releasedAt] = MonotonicInstant.now.nanoseconds
        }
        while board[.done] != round { Floors.sleep(nanoseconds: 50_000) }
      } else {
        while board[.turn] != round {
          if MonotonicInstant.now.nanoseconds > board[.stop] + 1_000_000_000 { return }
          Floors.sleep(nanoseconds: 50_000)
        }
        board[.waiting] = round
        try access.run(writing: true) {
          let now = MonotonicInstant.now.nanoseconds
          let released = board[.releasedAt]
          // Inside while the first one still is: no lock at all.
          if released == 0 {
            board[lane, .violations] += 1
          } else {
            board.record(writing: true, waited: now > released ? now - released : 0, lane: lane)
          }
        }
        board[.done] = round
      }
    }
  }

  private static func waitForStart(_ board: Board) {
    while board[.start] == 0 { Floors.sleep(nanoseconds: 500_000) }
    let now = MonotonicInstant.now.nanoseconds
    let start = board[.start]
    if now < start { Floors.sleep(nanoseconds: start - now) }
  }
}
