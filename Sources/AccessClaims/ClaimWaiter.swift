package import CoordinationRuntime
package import LinuxSystem
import Synchronization

/// How the thread that makes a claim waits for it.
///
/// All members may be called from any thread.
package protocol ClaimWaiter: AnyObject, Sendable {
  /// Blocks the calling thread until ``wake()`` or `deadline`; may return early. Called again by the
  /// claim until it is decided.
  func park(until deadline: MonotonicInstant?)
  /// Blocks the calling thread in flock(2) until it has the lock (nil), or with
  /// ``Errno/interrupted`` until ``wake()`` or `deadline`.
  func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno?
  /// Whether something was handed to this thread to run before it goes on waiting.
  ///
  /// Then the claim gives back what it holds, has ``serve()`` run it, and starts over: what is run may
  /// wait for somebody who waits for this claim. After it turns true, wake.
  var hasWork: Bool { get }
  func serve()
  /// The claim will be granted for this item, if all goes well: a moment to prepare what comes then.
  func expect(_ item: ItemIdentity)
  /// Ends the current park or lock, or the next one. Never blocks.
  func wake()
  /// Whether the wait is to end with ``ClaimFailure/cancelled``; after it turns true, wake.
  var isCancelled: Bool { get }
}

/// A waiter that only waits, on a futex: it needs no descriptor.
package final class PlainWaiter: ClaimWaiter {
  private let parker = ThreadParker()
  private let cancelled = Atomic<Bool>(false)

  package init() {}

  package func park(until deadline: MonotonicInstant?) { parker.wait(until: deadline) }
  package func lock(_ number: CInt, _ mode: LockMode, until deadline: MonotonicInstant?) -> Errno? {
    parker.lock(number, mode, until: deadline)
  }
  package func wake() { parker.wake() }
  package var hasWork: Bool { false }
  package func serve() {}
  package func expect(_ item: ItemIdentity) {}
  package var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Has the wait end with ``ClaimFailure/cancelled``; without effect once the claim is granted.
  package func cancel() {
    cancelled.store(true, ordering: .releasing)
    wake()
  }
}
