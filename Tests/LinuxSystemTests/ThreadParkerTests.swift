import LinuxSystem
import Testing
import TestSupport

@Suite(.timeLimit(.minutes(3))) struct ThreadParkerTests {
  /// A lock file that is held, open twice.
  private final class HeldFile: Sendable {
    private let directory: TemporaryDirectory
    let holder: SharedDescriptor
    let waiter: SharedDescriptor

    init() throws {
      directory = try TemporaryDirectory()
      let path = directory.path.appending("lock")
      holder = SharedDescriptor(try Descriptor.open(path, [.readWrite, .create]))
      waiter = SharedDescriptor(try Descriptor.open(path, [.readWrite]))
      #expect(FileLock.attempt(holder.number, .exclusive) == nil)
    }
  }

  private final class Ended: Sendable {
    private let code = Mutex<(isTold: Bool, code: Errno?)>((false, nil))
    private let parker = ThreadParker()
    func tell(_ code: Errno?) {
      self.code.withLock { $0 = (true, code) }
      parker.wake()
    }
    func wait() -> Errno? {
      while true {
        let now = code.withLock { $0 }
        if now.isTold { return now.code }
        parker.wait(until: nil)
      }
    }
  }

  @Test func `a wake ends a wait for a lock, whenever it comes`() throws {
    let file = try HeldFile()
    let number = file.waiter.number
    // The wake meets every moment of the way into the kernel: before, between and after.
    for round in 0..<300 {
      let parker = ThreadParker()
      let ended = Ended()
      try BlockingThread.start("locker") {
        ended.tell(parker.lock(number, .exclusive, until: nil))
      }
      for _ in 0..<(round * 20) { _ = MonotonicInstant.now }
      parker.wake()
      #expect(ended.wait() == .interrupted)
    }
  }

  @Test func `a time limit ends a wait for a lock, and not earlier`() throws {
    let file = try HeldFile()
    let start = MonotonicInstant.now

    let code = ThreadParker().lock(file.waiter.number, .shared, until: start + .milliseconds(80))

    #expect(code == .interrupted)
    #expect(MonotonicInstant.now - start >= .milliseconds(80))
  }

  @Test func `after an interrupted wait no call of the thread is interrupted`() throws {
    let file = try HeldFile()
    let parker = ThreadParker()
    for _ in 0..<20 {
      let limit = MonotonicInstant.now + .milliseconds(2)
      #expect(parker.lock(file.waiter.number, .exclusive, until: limit) == .interrupted)
      // poll(2) is never restarted: a late signal would end it before its time.
      let start = MonotonicInstant.now
      let readable = try WaitPoint().wait(until: start + .milliseconds(5))
      #expect(readable.isEmpty)
      #expect(MonotonicInstant.now - start >= .milliseconds(5))
    }
  }

  @Test func `the lock is had as soon as it is given back`() throws {
    let file = try HeldFile()
    let number = file.holder.number
    let isWaiting = ThreadParker()
    try BlockingThread.start("holder") {
      isWaiting.wait(until: MonotonicInstant.now + .milliseconds(20))
      FileLock.release(number)
    }
    #expect(ThreadParker().lock(file.waiter.number, .exclusive, until: nil) == nil)
  }
}
