import CoordinationRuntime
import LinuxSystem
import PeerScript

/// The file to which a member appends what it did.
///
/// Each record is one write(2), so that it is there however the member dies.
final class TortureLog: Sendable {
  private let member: String
  private let file: Descriptor

  init(_ member: TortureMember) throws {
    self.member = member.name
    file = try Descriptor.open(
      FilePath(member.trace),
      [.writeOnly, .create, .append],
      mode: 0o600
    )
  }

  func record(_ call: String, _ kind: TortureRecord.Kind, _ words: String...) {
    record(call, kind, words)
  }

  /// The product's own trace of what claims did.
  func record(_ event: CoordinationTrace.Event) {
    let claim = event.claim.map { "\($0)" } ?? ""
    let words = ["\(event.kind)", claim, event.path?.description ?? "", event.text]
    record("-", .trace, words, at: event.time)
  }

  func record(
    _ call: String,
    _ kind: TortureRecord.Kind,
    _ words: [String],
    at time: MonotonicInstant = .now
  ) {
    let record = TortureRecord(
      time: time.nanoseconds,
      member: member,
      call: call,
      kind: kind,
      words: words
    )
    // A full disk shows in the checker: calls without an end.
    try? file.write(Array((record.line + "\n").utf8))
  }
}
