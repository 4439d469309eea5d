package import CoordinationRuntime
import LinuxSystem

/// The claims of this process in one runtime directory: which claim waits for which.
///
/// One mutex guards everything and is never held across a call that can block. Threads of ours block
/// in flock(2), at most one per node, mode and queue. After a fork without exec the child must use a
/// table of its own (``shared()`` gives it one); the parent's is dead to it. How it works, and why it
/// neither deadlocks nor starves anybody: docs/locking.md.
package final class ClaimTable: Sendable {
  let state: Mutex<TableState>
  let resolver = ItemResolver()
  let generation = ForkGeneration.current
  /// This process, for the identities of claims.
  let process: ProcessIdentity
  let link = Mutex<(any PurposePartners)?>(nil)
  private let threads = ThreadPool(name: "file-claims")
  private static let tables = PerProcess<ClaimTable?>(nil)

  /// The table of this process for the runtime directory that it must use; another after a fork.
  package static func shared() throws(ClaimFailure) -> ClaimTable {
    do throws(RuntimeDirectoryError) {
      return try tables.withLock { table throws(RuntimeDirectoryError) in
        if let table { return table }
        let made = ClaimTable(runtime: try RuntimeDirectory.shared())
        table = made
        return made
      }
    } catch {
      throw ClaimFailure(error)
    }
  }

  /// A table of its own: its claims and those of other tables exclude each other like those of two
  /// processes, except where purposes are the same.
  ///
  /// The budget says how many descriptors may stay open for locks that nobody holds; nil: a quarter
  /// of what the process may have, between 32 and 1,024.
  package init(runtime: RuntimeDirectory, budget: Int? = nil) {
    let budget = budget ?? min(max(ResourceLimit.descriptors / 4, 32), 1024)
    let table = TableState(runtime, budget: budget)
    table.openBoard()
    table.openMoves()
    process = table.process
    state = Mutex(table)
  }

  /// The directory whose locks are used now.
  package var runtime: RuntimeDirectory { state.withLock { $0.runtime } }

  /// How many threads of ours block in the kernel for claims, cancelled ones included.
  package var kernelWaitCount: Int { state.withLock { $0.waits.count } }

  /// How many descriptors are kept open for locks that nobody of this process holds.
  package var cachedDescriptorCount: Int { state.withLock { $0.descriptors.value } }

  /// Takes all locks that the request needs, in the order that all claims keep.
  ///
  /// Blocks the calling thread, through `waiter`, only if somebody is in the way; the waiter is not
  /// made otherwise.
  /// - Throws: why it was not granted; nothing is held then.
  package func acquire(
    _ request: ClaimRequest,
    waiter: @autoclosure () -> any ClaimWaiter
  ) throws(ClaimFailure) -> Claim {
    let number = ClaimID.nextNumber()
    var acquisition = Acquisition(table: self, request: request, number: number)
    let outcome = try acquisition.run(waiter)
    return Claim(consume acquisition, number: number, outcome)
  }

  /// Runs `body` under the mutex and does afterwards what it left to be done.
  func withState<R: Sendable, E: Error>(_ body: (TableState) throws(E) -> R) throws(E) -> R {
    var actions = TableState.Actions()
    defer { if !actions.isEmpty { perform(actions) } }
    return try state.withLock { state throws(E) in
      state.now = MonotonicInstant.now.nanoseconds
      defer {
        state.settle()
        actions = state.takeActions()
      }
      return try body(state)
    }
  }

  private func perform(_ actions: TableState.Actions) {
    for waiter in actions.wakes { waiter.wake() }
    for job in actions.jobs { start(job) }
    if actions.sweepAt != 0 { sweepLater(actions.sweepAt) }
    if let runtime = actions.cleans {
      runDetached {
        do throws(SystemError) { try Janitor(runtime).clean() } catch {
          CoordinationTrace.record(.diagnostic, path: runtime.path, "not cleaned: \(error)")
        }
      }
    }
  }

  /// Runs `job` on a thread of ours; not at all when none can be had.
  func runDetached(_ job: @escaping @Sendable () -> Void) {
    do throws(SystemError) { try threads.run(job) } catch {
      CoordinationTrace.record(.diagnostic, "no thread: \(error)")
    }
  }

  private func start(_ job: KernelJob) {
    do throws(SystemError) {
      try threads.run { [self] in block(on: job) }
    } catch {
      withState { $0.couldNotWait(job, error) }
    }
  }

  /// Has kept locks given up in time.
  private func sweepLater(_ when: UInt64) {
    let alarm = Alarms.set(MonotonicInstant(nanoseconds: when)) { [weak self] in
      guard let self else { return }
      let next = withState { $0.sweep() }
      if next != 0 { sweepLater(next) }
    }
    if alarm != 0 { return }
    // Without a thread nothing may be kept.
    withState { state in
      state.canLinger = false
      state.endAllLingering()
    }
  }

  /// Runs on a thread of ours: blocks until the lock is there, then takes the next wait, if the
  /// arrival made one, without going through the pool.
  private func block(on job: KernelJob) {
    var next: KernelJob? = job
    while let job = next {
      let code = FileLock.wait(job.number, job.mode)
      var actions = state.withLock { state in
        state.now = MonotonicInstant.now.nanoseconds
        state.arrived(job, code)
        return state.takeActions()
      }
      next = actions.jobs.popLast()
      perform(actions)
    }
  }
}
