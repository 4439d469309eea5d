import CLinux
import Glibc

/// What a thread does that has nothing to wait on: a process without descriptors must still go on.
package enum ShortPause {
  /// Gives the processor away for a millisecond, or until `deadline` where that is nearer.
  ///
  /// - SeeAlso: nanosleep(2)
  package static func run(until deadline: MonotonicInstant?) {
    let now = MonotonicInstant.now
    let rest = deadline.map { $0 > now ? $0.nanoseconds - now.nanoseconds : 0 } ?? 1_000_000
    var pause = timespec(tv_sec: 0, tv_nsec: Int(min(rest, 1_000_000)))
    unsafe nanosleep(&pause, nil)
  }
}
