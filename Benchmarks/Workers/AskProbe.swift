import BenchmarkHarness
import Dispatch
import Foundation
import LinuxSystem
import Synchronization

/// Measures a claim that asks a presenter, and the parts it cannot do without, in turn and each after
/// the same pause.
struct AskProbe {
  private let presented: Access
  private let free: Access
  private let socket: String
  private let gap: UInt64

  /// Words: a file that another process presents, one that nobody presents, the socket at which that
  /// process sends everything back, the number of rounds, the pause in nanoseconds.
  init(_ words: [String]) throws {
    presented = Access(words[0])
    free = Access(words[1])
    socket = words[2]
    gap = UInt64(words[4]) ?? 1_000_000
  }

  /// Medians in nanoseconds: the claim that asks, a socket round trip, a hop, a claim.
  func measure(rounds: Int) throws -> [Double] {
    let echo = try Floors.Echo(socket)
    let queue = QuietPresenter.serialQueue()
    var times: [[Double]] = [[], [], [], []]
    for round in 0..<rounds + 3 {
      let one = [
        try timed { try presented.run(writing: false) {} },
        try paused { Double(try echo.roundTrip()) },
        paused { hop(queue) },
        try timed { try free.run(writing: false) {} },
      ]
      // The first rounds make connections and threads.
      if round >= 3 { for (index, time) in one.enumerated() { times[index].append(time) } }
    }
    return times.map(Statistics.median)
  }

  private func paused(_ body: () throws -> Double) rethrows -> Double {
    Floors.sleep(nanoseconds: gap)
    return try body()
  }

  private func timed(_ body: () throws -> Void) rethrows -> Double {
    try paused {
      let start = MonotonicInstant.now.nanoseconds
      try body()
      return Double(MonotonicInstant.now.nanoseconds - start)
    }
  }

  /// From the moment an operation is added to a queue until it runs.
  private func hop(_ queue: OperationQueue) -> Double {
    let ended = DispatchSemaphore(value: 0)
    let ran = Time()
    let start = MonotonicInstant.now.nanoseconds
    queue.addOperation {
      ran.value.store(MonotonicInstant.now.nanoseconds, ordering: .relaxed)
      ended.signal()
    }
    ended.wait()
    return Double(ran.value.load(ordering: .relaxed) - start)
  }

  private final class Time: Sendable {
    let value = Atomic<UInt64>(0)
  }
}
