import LinuxSystem

/// One connection that another process made to us.
///
/// Used by the link thread only.
struct IncomingConnection {
  let socket: PacketSocket
  let uid: UInt32
  /// Known once it said hello.
  var peer: ProcessIdentity?
  var conversation: IncomingConversation?

  /// What a packet means.
  enum Step {
    case message(IncomingConversation, LinkMessage)
    /// Another conversation began though this one was not over.
    case superseded(IncomingConversation, then: IncomingConversation, LinkMessage)
    case none
    case refuse(LinkMessage.Refusal)
  }

  /// Takes a packet in; decides, does nothing.
  mutating func take(_ packet: LinkPacket) -> Step {
    if case .hello(let process) = packet.message {
      guard peer == nil else { return .refuse(.init(.malformed)) }
      peer = process
      return .none
    }
    guard let peer else { return .refuse(.init(.malformed)) }
    if case .refused = packet.message { return .none }
    if let conversation, conversation.number == packet.conversation {
      switch conversation.note(packet.message) {
      case .deliver: return .message(conversation, packet.message)
      case .ignore: return .none
      case .refuse: return .refuse(.init(.malformed))
      }
    }
    let before = conversation
    guard packet.conversation > before?.number ?? 0 else { return .refuse(.init(.malformed)) }
    let fresh = IncomingConversation(
      socket,
      number: packet.conversation,
      peer: peer,
      uid: uid
    )
    guard case .deliver = fresh.note(packet.message) else { return .refuse(.init(.malformed)) }
    conversation = fresh
    if let before, before.lose() {
      return .superseded(before, then: fresh, packet.message)
    }
    return .message(fresh, packet.message)
  }
}
