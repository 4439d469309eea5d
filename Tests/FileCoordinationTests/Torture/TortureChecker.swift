import PeerScript

/// Reads what all members recorded and says what was wrong.
struct TortureChecker {
  let records: [TortureRecord]
  let fates: [String: TortureFate]
  /// The member that is never killed or stopped: it must hear every change.
  let witness: String

  init(records: [TortureRecord], fates: [String: TortureFate], witness: String) {
    self.records = records.sorted { $0.time < $1.time }
    self.fates = fates
    self.witness = witness
  }

  func verdict() -> TortureVerdict {
    var verdict = TortureVerdict()
    let calls = gatherCalls()
    checkEnds(calls, &verdict)
    checkOverlaps(calls, &verdict)
    checkUpdates(&verdict)
    checkClaims(&verdict)
    checkOrder(&verdict)
    checkNotices(calls, &verdict)
    return verdict
  }

  private func gatherCalls() -> [String: TortureCall] {
    var calls: [String: TortureCall] = [:]
    for record in records where record.call != "-" {
      var call = calls[record.call] ?? TortureCall(id: record.call, member: record.member)
      switch record.kind {
      case .call:
        call.called = record.time
        call.party = record.words.first ?? ""
      case .began:
        call.began = record.time
        call.items = stride(from: 0, to: record.words.count - 1, by: 2).map {
          TortureCall.Item(mode: record.words[$0], path: record.words[$0 + 1])
        }
      case .ended: call.ended = record.time
      case .returned: call.returned = record
      case .did, .made: call.changed = true
      default: break
      }
      calls[record.call] = call
    }
    return calls
  }

  /// Every call of a member that lived to the end has returned, and for a reason we know.
  private func checkEnds(_ calls: [String: TortureCall], _ verdict: inout TortureVerdict) {
    let expected: Set = ["timedOut", "wouldDeadlock"]
    for call in calls.values {
      if call.began != nil { verdict.accessors += 1 }
      if let returned = call.returned {
        if returned.words.first != "ok", !expected.contains(returned.words.dropFirst().first ?? "")
        {
          verdict.add(.unexpectedFailure, [returned.line])
        }
        if call.began != nil, call.ended == nil {
          verdict.add(.accessorWithoutEnd, [call.summary])
        }
      } else if fates[call.member]?.killed == nil {
        verdict.add(.callWithoutEnd, [call.summary])
      }
    }
  }

  /// No two accessors that exclude each other were under way at one time.
  private func checkOverlaps(_ calls: [String: TortureCall], _ verdict: inout TortureVerdict) {
    let held = calls.values.filter { $0.began != nil }.sorted { ($0.began ?? 0) < ($1.began ?? 0) }
    var open: [(call: TortureCall, end: UInt64)] = []
    for call in held {
      let begin = call.began ?? 0
      open.removeAll { $0.end <= begin }
      for other in open where call.conflicts(with: other.call) {
        verdict.add(.overlap, [other.call.summary, call.summary])
      }
      // What the dead held is free from the moment they were killed, not before.
      open.append((call, call.ended ?? fates[call.member]?.killed ?? UInt64.max))
    }
  }

  /// Each file's number grows by one with each update that was made, and nobody saw another.
  private func checkUpdates(_ verdict: inout TortureVerdict) {
    struct State {
      var possible: Set<Int>
      var last: TortureRecord
      var isGone = false
    }
    var files: [String: State] = [:]
    for record in records {
      guard let identity = record.words.first else { continue }
      let value = record.words.count > 1 ? Int(record.words[1]) : nil
      switch record.kind {
      case .saw:
        guard let value else { continue }
        if let state = files[identity], state.isGone || !state.possible.contains(value) {
          verdict.add(.lostUpdate, [state.last.line, record.line])
        }
        files[identity] = State(possible: [value], last: record)
      case .will:
        guard let value else { continue }
        var state = files[identity] ?? State(possible: [], last: record)
        state.possible.insert(value)
        state.last = record
        files[identity] = state
      case .did:
        guard let value else { continue }
        verdict.updates += 1
        files[identity] = State(possible: [value], last: record)
      case .made:
        files[identity] = State(possible: [0], last: record)
      case .deleted:
        var state = files[identity] ?? State(possible: [], last: record)
        state.isGone = true
        state.last = record
        files[identity] = state
      default: break
      }
    }
  }

  /// By the product's own trace, every claim that a living member was granted was released.
  private func checkClaims(_ verdict: inout TortureVerdict) {
    var open: [String: TortureRecord] = [:]
    for record in records where record.kind == .trace && record.words.count > 1 {
      guard fates[record.member]?.killed == nil, !record.words[1].isEmpty else { continue }
      let claim = "\(record.member) \(record.words[1])"
      switch record.words[0] {
      case "granted": open[claim] = record
      case "released", "cancelled", "failed": open[claim] = nil
      default: break
      }
    }
    for record in open.values { verdict.add(.claimWithoutEnd, [record.line]) }
  }

  /// The witness heard of each update at least as often as it was made.
  private func checkNotices(_ calls: [String: TortureCall], _ verdict: inout TortureVerdict) {
    guard let start = records.first(where: { $0.kind == .presenting && $0.member == witness })?.time
    else { return }
    var heard: [String: Int] = [:]
    for record in records where record.kind == .notice && record.member == witness {
      verdict.notices += 1
      for path in record.words.dropFirst() { heard[path, default: 0] += 1 }
    }
    for (path, made) in writes(calls, since: start) where heard[path, default: 0] < made.count {
      verdict.add(
        .missingNotice,
        ["\(path): \(made.count) writes, \(heard[path, default: 0]) notices"]
          + made.suffix(3).map(\.summary)
      )
    }
  }

  /// Coordinated writes that were told, by the path they were granted.
  func writes(_ calls: [String: TortureCall], since start: UInt64) -> [String: [TortureCall]] {
    var made: [String: [TortureCall]] = [:]
    for call in calls.values {
      guard let called = call.called, called > start, call.changed,
        call.returned?.words.first == "ok"
      else { continue }
      // A move is told as one notice with two paths; it is not counted here.
      guard call.items.count == 1, let item = call.items.first, item.mode == "W" else { continue }
      made[item.path, default: []].append(call)
    }
    return made
  }
}

extension TortureChecker {
  /// Whether all notices that must come have come; until then the run is not over.
  var isQuiet: Bool {
    var verdict = TortureVerdict()
    checkNotices(gatherCalls(), &verdict)
    return verdict.faults.isEmpty
  }
}
