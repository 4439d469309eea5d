import PeerScript

extension TortureChecker {
  /// One claim that stood first in line at a lock, by the product's own trace.
  private struct Wait {
    let mark: TortureRecord
    let begin: UInt64
    var end: UInt64
    var isExclusive: Bool { mark.words[3].hasSuffix("exclusive") }
  }
  /// A claim of one process at one lock of one path.
  private struct Place: Hashable {
    let claim: String
    let lock: String
  }

  /// Clocks are read a little before or after what they stand for.
  private static var slack: UInt64 { 20_000 }

  /// Nobody took a lock past a claim that stood in line for it: whoever takes one without waiting
  /// looks at the mark again when it is taken, and goes to stand in line if it is set by then.
  func checkOrder(_ verdict: inout TortureVerdict) {
    let waits = gatherWaits()
    for record in records where record.kind == .trace && record.words.first == "slippedIn" {
      guard let lock = lock(of: record) else { continue }
      let isExclusive = record.words[3].hasSuffix("exclusive")
      let overtaken = waits[lock]?.first { wait in
        wait.begin + Self.slack < record.time && record.time + Self.slack < wait.end
          && (isExclusive || wait.isExclusive)
      }
      if let overtaken { verdict.add(.overtaken, [overtaken.mark.line, record.line]) }
    }
  }

  /// By lock, who stood in line and how long.
  private func gatherWaits() -> [String: [Wait]] {
    var waits: [String: [Wait]] = [:]
    var open: [Place: Wait] = [:]
    for record in records where record.kind == .trace {
      guard let lock = lock(of: record), let kind = record.words.first else { continue }
      let place = Place(claim: record.words[1], lock: lock)
      if kind == "outOfLine" || kind == "inLine", var wait = open.removeValue(forKey: place) {
        wait.end = record.time
        waits[lock, default: []].append(wait)
      }
      if kind == "inLine" {
        // The dead stand in no line from the moment they were killed.
        let end = fates[record.member]?.killed ?? 0
        open[place] = Wait(mark: record, begin: record.time, end: end)
      }
    }
    for (place, wait) in open where wait.end > 0 { waits[place.lock, default: []].append(wait) }
    return waits
  }

  /// Which lock of which path the record is about; nil if it is about none.
  private func lock(of record: TortureRecord) -> String? {
    guard record.words.count > 3, let kind = record.words[3].split(separator: " ").first else {
      return nil
    }
    return "\(kind) \(record.words[2])"
  }
}
