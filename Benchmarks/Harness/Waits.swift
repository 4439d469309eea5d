/// A histogram of durations in nanoseconds: 64 buckets per power of two, right within 1.6 %.
package struct Waits: Sendable, Equatable {
  package static let bucketCount = 2304
  private var counts = [UInt64](repeating: 0, count: bucketCount)
  /// How many there are.
  package private(set) var count: UInt64 = 0
  /// The longest, exactly, in nanoseconds; 0 where there is none.
  package private(set) var longest: UInt64 = 0

  package init() {}

  /// The bucket that a duration falls into.
  package static func bucket(of nanoseconds: UInt64) -> Int {
    guard nanoseconds >= 64 else { return Int(nanoseconds) }
    let exponent = 63 - nanoseconds.leadingZeroBitCount
    let index = (exponent - 5) * 64 + Int((nanoseconds >> UInt64(exponent - 6)) & 63)
    return min(index, bucketCount - 1)
  }

  /// The middle of a bucket, in nanoseconds.
  package static func middle(of bucket: Int) -> Double {
    guard bucket >= 64 else { return Double(bucket) }
    let width = UInt64(1) << UInt64(bucket / 64 - 1)
    return Double((UInt64(bucket % 64) + 64) * width) + Double(width - 1) / 2
  }

  package mutating func add(_ number: UInt64, inBucket bucket: Int) {
    counts[bucket] += number
    count += number
  }

  package mutating func note(longest other: UInt64) { longest = max(longest, other) }

  package mutating func add(_ nanoseconds: UInt64) {
    add(1, inBucket: Self.bucket(of: nanoseconds))
    note(longest: nanoseconds)
  }

  /// The duration that the share `rank` (0 to 1) does not exceed, in nanoseconds; nil of nothing.
  package func percentile(_ rank: Double) -> Double? {
    guard count > 0 else { return nil }
    let wanted = max(1, UInt64((Double(count) * rank).rounded(.up)))
    var seen: UInt64 = 0
    for (bucket, number) in counts.enumerated() where number > 0 {
      seen += number
      // The middle of the last bucket may lie above the longest of all.
      if seen >= wanted { return min(Self.middle(of: bucket), Double(longest)) }
    }
    return Double(longest)
  }
}
