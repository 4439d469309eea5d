import CLinux
import Glibc

/// The time of day, which may jump: only to compare with times of files.
package enum WallClock {
  /// Seconds since 1970.
  package static var seconds: Int { time(nil) }

  /// Nanoseconds since 1970, as exact as files carry them.
  ///
  /// - SeeAlso: clock_gettime(2) CLOCK_REALTIME
  package static var nanoseconds: Int64 {
    var t = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &t)
    return Int64(t.tv_sec) * 1_000_000_000 + Int64(t.tv_nsec)
  }
}
