import BenchmarkHarness
import Foundation
import LinuxSystem

/// The worker processes of one backend, for one run at a time.
struct Team {
  let session: Session
  let backend: Backend

  /// Has processes contend, each with its own share of reads, and says what they counted.
  ///
  /// Blocks for `seconds` and what starting takes.
  /// - Throws: ``MeasurementError`` when a worker fails or does not come to an end.
  func contend(
    reads: [Int],
    threads: Int = 1,
    files: Int = 1,
    hold: UInt64,
    seconds: Double
  ) throws -> Outcome {
    let board = try session.board(lanes: reads.count * threads)
    defer { session.discard(board) }
    let prefix = try session.freshItems(files)
    board[.hold] = hold
    let workers = try reads.enumerated().map { index, share in
      try start(
        board,
        ["contend", "\(index * threads)", "\(threads)", "\(share)", "\(files)", prefix]
      )
    }
    try workers.run(board, seconds: seconds)
    let lanes = 0..<reads.count * threads
    return Outcome(
      seconds: seconds,
      perProcess: reads.indices.map { process in
        (0..<threads).reduce(0) { sum, thread in
          let lane = process * threads + thread
          return sum + board[lane, .reads] + board[lane, .writes]
        }
      },
      reads: board.waits(writing: false, lanes: lanes),
      writes: board.waits(writing: true, lanes: lanes),
      counted: (0..<files).reduce(0) { $0 + board[counterOf: $1] },
      violations: lanes.reduce(0) { $0 + board[$1, .violations] }
    )
  }

  /// Has one process wait for another `rounds` times; from the moment before it gives up to inside.
  ///
  /// - Throws: ``MeasurementError``, also when the second was inside together with the first.
  func handOff(rounds: Int, gap: UInt64, seconds: Double) throws -> Waits {
    let board = try session.board(lanes: 2)
    defer { session.discard(board) }
    let path = try session.freshItems(1) + "0"
    board[.gap] = gap
    let workers = try ["first", "second"].enumerated().map { lane, verb in
      try start(board, [verb, "\(lane)", "\(rounds)", path])
    }
    try workers.run(board, seconds: seconds)
    guard board[1, .violations] == 0 else {
      throw MeasurementError("\(backend.name): does not exclude, so there is nothing to hand over")
    }
    return board.waits(writing: true, lanes: 1..<2)
  }

  /// Nanoseconds for one exclusive access with an empty body, warm.
  func uncontended(pairs: Int) throws -> Double {
    let board = try session.board(lanes: 1)
    defer { session.discard(board) }
    let path = try session.freshItems(1) + "0"
    let result = try Program.run(
      backend.program,
      arguments(board, ["uncontended", path, "\(pairs)"]),
      environment: session.environment
    )
    guard result.status == 0, let figure = Double(result.output.dropLast()) else {
      throw MeasurementError("\(backend.name): \(result.errors.firstLine)")
    }
    return figure
  }

  private func arguments(_ board: Board, _ verb: [String]) -> [String] {
    backend.arguments + [backend.name, board.path.description] + verb
  }

  private func start(_ board: Board, _ verb: [String]) throws -> Worker {
    try Worker(backend, arguments(board, verb), environment: session.environment)
  }
}

/// One worker process.
private final class Worker {
  private let name: String
  private let process: Process
  private let complaints = TemporaryText()

  init(_ backend: Backend, _ arguments: [String], environment: [String: String]) throws {
    name = backend.name
    process = Program.prepare(
      backend.program,
      arguments,
      environment: environment.merging(backend.environment) { $1 }
    )
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = complaints.handle
    try process.run()
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  var isRunning: Bool { process.isRunning }
  var failure: MeasurementError? {
    if process.isRunning { return nil }
    return process.terminationStatus == 0
      ? nil
      : MeasurementError(
        "\(name): status \(process.terminationStatus) \(complaints.text.firstLine)"
      )
  }
  func overdue() -> MeasurementError { MeasurementError("\(name): a worker did not end") }
}

extension [Worker] {
  /// Starts all at one moment, once all are ready, and waits until all ended.
  fileprivate func run(_ board: Board, seconds: Double) throws {
    let ready = MonotonicInstant.now + .seconds(30)
    while !(0..<board.lanes).allSatisfy({ board[$0, .ready] != 0 }) {
      for worker in self { if let failure = worker.failure { throw failure } }
      if MonotonicInstant.now > ready { throw self[0].overdue() }
      Floors.sleep(nanoseconds: 1_000_000)
    }
    let start = MonotonicInstant.now + .milliseconds(20)
    let stop = start + .seconds(seconds)
    board[.stop] = stop.nanoseconds
    board[.start] = start.nanoseconds
    // A lock that is handed around slowly may keep the last ones waiting for a while.
    let limit = stop + .seconds(20)
    for worker in self {
      while worker.isRunning {
        if MonotonicInstant.now > limit { throw worker.overdue() }
        Floors.sleep(nanoseconds: 1_000_000)
      }
      if let failure = worker.failure { throw failure }
    }
  }
}

extension String {
  /// What stands before the first line break.
  var firstLine: String { split(separator: "\n").first.map(String.init) ?? "" }
}
