/// Threads of ours that run one blocking job each and are kept for the next.
///
/// Grows to as many threads as there are jobs at once; a thread that found no job for ten seconds
/// ends. A job starts at once: jobs wait for each other, so a fixed size would deadlock.
package final class ThreadPool: Sendable {
  package typealias Job = @Sendable () -> Void
  /// An idle thread: its mailbox holds at most one job.
  private final class Idle: Sendable {
    let wait: WaitPoint
    let job = Mutex<Job?>(nil)
    init() throws(SystemError) { wait = try WaitPoint() }
  }
  private let name: String
  private let idle = Mutex<[Idle]>([])

  package init(name: String) { self.name = name }

  /// Runs `job` on a thread of the pool.
  ///
  /// - Throws: EAGAIN when no thread can be made, EMFILE when no descriptor is left for one.
  package func run(_ job: @escaping Job) throws(SystemError) {
    if let thread = idle.withLock({ $0.popLast() }) {
      thread.job.withLock { $0 = job }
      thread.wait.wake()
      return
    }
    let thread = try Idle()
    try BlockingThread.start(name) { [self] in serve(thread, first: job) }
  }

  private func serve(_ thread: Idle, first: @escaping Job) {
    var job: Job? = first
    while let current = job {
      current()
      idle.withLock { $0.append(thread) }
      job = next(thread)
    }
  }

  private func next(_ thread: Idle) -> Job? {
    let deadline = MonotonicInstant.now + .seconds(10)
    while true {
      if let job = thread.job.withLock({ job in
        defer { job = nil }
        return job
      }) {
        return job
      }
      if MonotonicInstant.now >= deadline {
        let left = idle.withLock { idle in
          guard let index = idle.firstIndex(where: { $0 === thread }) else { return false }
          idle.remove(at: index)
          return true
        }
        // Taken off the list by a giver in this moment: its job is on the way.
        if left { return nil }
      }
      _ = thread.wait.wait(until: deadline)
    }
  }
}
