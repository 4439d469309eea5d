import BenchmarkHarness

/// What the workers of one run counted.
struct Outcome: Sendable {
  let seconds: Double
  /// Accesses of each process, in the order of their start.
  let perProcess: [UInt64]
  let reads: Waits
  let writes: Waits
  /// What the counter files say, all together.
  let counted: UInt64
  /// How often somebody inside saw what a lock should have prevented.
  let violations: UInt64

  /// Accesses per second, of all processes.
  var throughput: Double { Double(reads.count + writes.count) / seconds }
  var readsPerSecond: Double { Double(reads.count) / seconds }
  var writesPerSecond: Double { Double(writes.count) / seconds }
  /// The process that got least over the one that got most.
  var fairness: Double {
    guard let least = perProcess.min(), let most = perProcess.max(), most > 0 else { return 0 }
    return Double(least) / Double(most)
  }
  /// The longest wait of anybody, in nanoseconds.
  var longest: UInt64 { max(reads.longest, writes.longest) }
  /// Whether no update was lost and nobody was inside with a writer.
  var isExclusive: Bool { counted == writes.count && violations == 0 }

  /// Who starves, if the last of the processes was the only writer.
  ///
  /// A side starves when one of its processes gets less than a tenth of what one of the other side
  /// gets, or in one of a hundred cases waits ten times as long as the other side does and longer than
  /// two hundred holds.
  func starving(readers: Int, hold: UInt64) -> String? {
    let perReader = Double(reads.count) / Double(max(readers, 1))
    let limit = 200 * Double(hold)
    let write = writes.percentile(0.99) ?? 0
    let read = reads.percentile(0.99) ?? 0
    let writer = Double(writes.count) < perReader / 10 || write > max(limit, 10 * read)
    let reader = perReader < Double(writes.count) / 10 || read > max(limit, 10 * write)
    switch (reader, writer) {
    case (false, false): return nil
    case (true, false): return "readers"
    case (false, true): return "writer"
    case (true, true): return "both"
    }
  }
}
