/// One line of what a member of the torture test did.
package struct TortureRecord: Sendable {
  package enum Kind: String, Sendable {
    /// A call begins; words: the party it is made for.
    case call
    /// Its accessor begins; words: mode and path of each item, in turn. Modes: R, W, X (structural).
    case began
    /// A file was read; words: its identity, its value.
    case saw
    /// A file is about to get a value, and then has it; words likewise.
    case will, did
    /// A file was created with value 0; words: its identity.
    case made
    case deleting, deleted
    /// Words: from, to.
    case moved
    /// The accessor ends.
    case ended
    /// The call returned; words: "ok", or the error's code and text.
    case returned
    /// The member presents the tree; from now on it hears everything.
    case presenting
    /// Words: what, path.
    case notice
    /// From the trace of the product; words: kind, claim, path, text.
    case trace
  }

  package var time: UInt64
  package var member: String
  /// Which call: the same in all of its records.
  ///
  /// Calls inside others add a dot and a number.
  package var call: String
  package var kind: Kind
  package var words: [String]

  package init(time: UInt64, member: String, call: String, kind: Kind, words: [String]) {
    self.time = time
    self.member = member
    self.call = call
    self.kind = kind
    self.words = words
  }

  /// The record as a line, without its end.
  package var line: String {
    ([String(time), member, call, kind.rawValue] + words)
      .map { $0.replacing("\t", with: " ").replacing("\n", with: " ") }
      .joined(separator: "\t")
  }

  /// The record that a line holds; nil for one that was cut off.
  package init?(line: some StringProtocol) {
    let fields = String(line).split(separator: Character("\t"), omittingEmptySubsequences: false)
      .map { String($0) }
    guard fields.count >= 4, let time = UInt64(fields[0]), let kind = Kind(rawValue: fields[3])
    else { return nil }
    self.init(
      time: time,
      member: fields[1],
      call: fields[2],
      kind: kind,
      words: Array(fields.dropFirst(4))
    )
  }
}
