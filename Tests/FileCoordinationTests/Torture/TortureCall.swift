import PeerScript

/// One call of the torture test, put together from its records.
struct TortureCall {
  struct Item {
    let mode: String
    let path: String
  }
  let id: String
  let member: String
  var party = ""
  var items: [Item] = []
  var called: UInt64?
  var began: UInt64?
  var ended: UInt64?
  var returned: TortureRecord?
  /// Whether a file was changed or made.
  var changed = false

  /// The call it is nested in counts as the same party.
  var family: Substring { id.split(separator: ".").first ?? Substring(id) }

  /// Whether the two may not overlap: the matrix of section 2.2.
  func conflicts(with other: TortureCall) -> Bool {
    guard party != other.party, family != other.family else { return false }
    return items.contains { a in other.items.contains { Self.conflict(a, $0) } }
  }

  private static func conflict(_ a: Item, _ b: Item) -> Bool {
    if a.path == b.path { return a.mode != "R" || b.mode != "R" }
    if b.path.hasPrefix(a.path + "/") { return a.mode == "X" }
    if a.path.hasPrefix(b.path + "/") { return b.mode == "X" }
    return false
  }

  var summary: String {
    let what = items.map { "\($0.mode) \($0.path)" }.joined(separator: ", ")
    return "\(id) [\(what)] \(began ?? 0)–\(ended ?? 0)"
  }
}
