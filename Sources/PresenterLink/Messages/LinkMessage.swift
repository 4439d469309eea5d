package import CoordinationRuntime
package import LinuxSystem

/// What processes say to each other.
///
/// The layout of each stands in docs/wire-protocol.md.
package enum LinkMessage: Sendable, Hashable {
  /// The asking side's first packet on a connection: who it is. Sent and taken by this layer itself.
  case hello(ProcessIdentity)
  /// Asks presenters to make room. Answered by `answered`.
  case ask(AskMessage)
  /// The link thread took the `ask` but no answer is there yet. Sent by this layer itself.
  case received
  /// Everybody who was asked answered; or somebody refused.
  case answered(WireError?)
  /// The accessor begins. No answer.
  case accessBegan(WriteBegin)
  /// The accessor returned. Answered by `noted`.
  case finished(FinishMessage)
  /// All that `finished` says stands in the presenters' queues.
  case noted
  /// The access will not happen; no answer is waited for any more. No answer.
  case abandoned(ClaimID)
  /// Bytes between the claim tables of two processes. Answered by `partnerReply`.
  case partner([UInt8])
  case partnerReply([UInt8])
  /// What was sent was not understood.
  case refused(Refusal)

  /// Why a packet was refused, and what would be understood.
  package struct Refusal: Sendable, Hashable {
    package enum Reason: UInt8, Sendable {
      /// The packet is of another version of the protocol.
      case version = 1
      /// The packet is damaged, or makes no sense where it came.
      case malformed = 2
      /// There is nobody to take it.
      case unattended = 3
    }
    package var reason: Reason
    /// The version that the refusing side speaks.
    package var version: UInt8

    package init(_ reason: Reason, version: UInt8 = LinkPacket.version) {
      self.reason = reason
      self.version = version
    }
  }
}

extension LinkMessage {
  /// What it is called, for the trace.
  var name: String {
    switch self {
    case .hello: "hello"
    case .ask: "ask"
    case .received: "received"
    case .answered(let error): error == nil ? "answered" : "refused"
    case .accessBegan: "accessBegan"
    case .finished: "finished"
    case .noted: "noted"
    case .abandoned: "abandoned"
    case .partner: "partner"
    case .partnerReply: "partnerReply"
    case .refused: "not understood"
    }
  }

  /// Whose it is, where it says so.
  var claim: ClaimID? {
    switch self {
    case .ask(let message): message.claim
    case .accessBegan(let message): message.claim
    case .finished(let message): message.claim
    case .abandoned(let claim): claim
    default: nil
    }
  }
}
