import BenchmarkHarness

/// What one lock did in one workload.
///
/// Times are nanoseconds.
struct Row: Encodable, Sendable {
  /// Percentiles of waits, in nanoseconds.
  struct Wait: Encodable, Sendable {
    let p50: Double
    let p99: Double
    let max: Double

    init?(_ waits: Waits) {
      guard let half = waits.percentile(0.5), let most = waits.percentile(0.99) else { return nil }
      p50 = half
      p99 = most
      max = Double(waits.longest)
    }
  }

  let workload: Workload
  let backend: String
  /// Of one access that nobody disturbs.
  var pairNanoseconds: Double?
  var operationsPerSecond: Double?
  var readsPerSecond: Double?
  var writesPerSecond: Double?
  /// The process that got least over the one that got most.
  var fairness: Double?
  var readWait: Wait?
  var writeWait: Wait?
  /// Whether the counter and all who were inside found nobody there who should not be.
  var excludes: Bool?
  /// Writes that the counter does not show.
  var lostUpdates: Int?
  /// How often somebody inside saw another who should not be there.
  var overlaps: UInt64?
  /// Which side starves: readers, writer, both or none.
  var starves: String?
  /// Why it could not be measured.
  var failure: String?

  init(_ workload: Workload, _ backend: String) {
    self.workload = workload
    self.backend = backend
  }

  mutating func take(_ outcome: Outcome) {
    operationsPerSecond = outcome.throughput
    readsPerSecond = outcome.readsPerSecond
    writesPerSecond = outcome.writesPerSecond
    fairness = outcome.fairness
    readWait = Wait(outcome.reads)
    writeWait = Wait(outcome.writes)
    excludes = outcome.isExclusive
    lostUpdates = Int(outcome.writes.count) - Int(outcome.counted)
    overlaps = outcome.violations
  }
}
