import Glibc

/// The time of day, which may jump: only to compare with times of files.
package enum WallClock {
  /// Seconds since 1970.
  package static var seconds: Int { time(nil) }
}
