import PeerScript

/// What a run of the torture test is accused of, each with the records that prove it.
struct TortureVerdict: CustomStringConvertible {
  struct Fault: CustomStringConvertible {
    enum Kind: String {
      case overlap, lostUpdate, callWithoutEnd, accessorWithoutEnd, unexpectedFailure
      case missingNotice, claimWithoutEnd, overtaken
    }
    let kind: Kind
    let evidence: [String]
    var description: String {
      "\(kind.rawValue)\n" + evidence.map { "    \($0)" }.joined(separator: "\n")
    }
  }
  var faults: [Fault] = []
  /// How much was looked at, so that a run that did nothing is not taken for a good one.
  var accessors = 0
  var updates = 0
  var notices = 0

  init() {}

  init(_ kind: Fault.Kind, _ evidence: [String]) { add(kind, evidence) }

  mutating func add(_ kind: Fault.Kind, _ evidence: [String]) {
    faults.append(Fault(kind: kind, evidence: evidence))
  }

  var description: String {
    let shown = faults.prefix(5).map(\.description).joined(separator: "\n  ")
    return """
      \(accessors) accessors, \(updates) updates, \(notices) notices, \(faults.count) faults
        \(shown)
      """
  }
}

/// When a member was killed, and whether it ever was stopped.
struct TortureFate {
  /// Just before the signal was sent.
  var killed: UInt64?
  var wasStopped = false
}
