import CLinux
import Glibc

/// Waiting on a word in memory without giving the processor away: worth it where the wait is shorter
/// than falling asleep and being woken.
package enum BriefSpin {
  /// Whether another thread can run meanwhile.
  private static let isUseful = sysconf(CInt(_SC_NPROCESSORS_ONLN)) > 1

  /// Calls `attempt` until it says that it is over, or for as long as `limit`; says whether it was.
  ///
  /// `attempt` is called every few dozen nanoseconds.
  package static func run(for limit: Duration, _ attempt: (MonotonicInstant) -> Bool) -> Bool {
    guard isUseful else { return false }
    let end = MonotonicInstant.now + limit
    while true {
      let now = MonotonicInstant.now
      if attempt(now) { return true }
      if now >= end { return false }
      for _ in 0..<8 { cl_pause() }
      // Whoever else wants this processor may be the one that is waited for.
      sched_yield()
    }
  }
}
