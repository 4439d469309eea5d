import LinuxSystem
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(3))) struct MutexTests {
  final class Counter: Sendable {
    let count = Mutex(0)
    let ended = Mutex(0)
  }

  /// Under ThreadSanitizer this is the test of what the mutex tells it: thousands of contended turns.
  @Test func `threads that count in turn lose nothing`() async throws {
    let counter = Counter()
    for number in 0..<4 {
      try BlockingThread.start("count-\(number)") {
        for _ in 0..<20_000 { counter.count.withLock { $0 += 1 } }
        counter.ended.withLock { $0 += 1 }
      }
    }
    try await eventually("all have counted") { counter.ended.withLock { $0 } == 4 }
    #expect(counter.count.withLock { $0 } == 80_000)
  }

  @Test func `a mutex that is taken is not available`() {
    let counter = Counter()
    counter.count.withLock { _ in
      #expect(counter.count.withLockIfAvailable { $0 } == nil)
    }
    #expect(counter.count.withLockIfAvailable { $0 } == 0)
  }

  @Test func `an error leaves the mutex free`() {
    struct Refusal: Error {}
    let counter = Counter()
    #expect(throws: Refusal.self) {
      try counter.count.withLock { value throws(Refusal) in
        value = 7
        throw Refusal()
      }
    }
    #expect(counter.count.withLockIfAvailable { $0 } == 7)
  }

  /// The standard library's own lock ends the child with SIGILL here.
  ///
  /// In a process of its own: a thread of another test that does something for the first time holds
  /// locks of Swift's runtime, which the child would find held for ever.
  @Test func `in a forked child, too, threads count in turn`() async {
    await #expect(processExitsWith: .success) {
      // Before the fork, too: whoever has locked has a number that the child's thread still goes by, and
      // a child that does something for the first time asks Swift's runtime, whose locks another thread
      // of its parent may have held in that moment.
      #expect(Self.countByTwo(rounds: 10) == 0)
      let child = try ForkedChild.start(limit: 30) { Self.countByTwo(rounds: 50_000) }
      #expect(ForkedChild.wait(for: child) == 0)
    }
  }

  /// Two threads count in one counter; 0 if nothing was lost.
  private static func countByTwo(rounds: Int) -> Int32 {
    let counter = Counter()
    let started: Void? = try? BlockingThread.start("count-child") {
      for _ in 0..<rounds { counter.count.withLock { $0 += 1 } }
      counter.ended.withLock { $0 += 1 }
    }
    guard started != nil else { return 1 }
    for _ in 0..<rounds { counter.count.withLock { $0 += 1 } }
    for _ in 0..<5_000 where counter.ended.withLock({ $0 }) == 0 { ForkedChild.pause() }
    return counter.count.withLock { $0 } == 2 * rounds ? 0 : 2
  }

  @Test func `a forked child that waits for ever is ended by the kernel`() throws {
    let child = try ForkedChild.start(limit: 1) { while true { ForkedChild.pause() } }
    #expect(ForkedChild.wait(for: child) == -14)
  }
}
