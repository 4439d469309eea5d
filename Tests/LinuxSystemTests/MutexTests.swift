import LinuxSystem
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(1))) struct MutexTests {
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
}
