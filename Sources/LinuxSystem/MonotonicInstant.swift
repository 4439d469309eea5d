import CLinux

/// A point in time that no clock change moves: CLOCK_MONOTONIC, in nanoseconds.
///
/// - SeeAlso: clock_gettime(2)
package struct MonotonicInstant: Comparable, Hashable, Sendable {
  package let nanoseconds: UInt64
  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// Now; no kernel entry.
  package static var now: MonotonicInstant {
    MonotonicInstant(nanoseconds: cl_monotonic_nanoseconds())
  }
  package static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  package static func + (a: Self, d: Duration) -> Self {
    let (seconds, attoseconds) = d.components
    if seconds > 9_000_000_000 { return Self(nanoseconds: .max) }
    if seconds < 0 || attoseconds < 0 { return a }
    let step = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    return Self(nanoseconds: a.nanoseconds.addingReportingOverflow(step).partialValue)
  }
  package static func - (a: Self, b: Self) -> Duration {
    a >= b
      ? .nanoseconds(Int64(a.nanoseconds - b.nanoseconds))
      : .zero - .nanoseconds(Int64(b.nanoseconds - a.nanoseconds))
  }
}
