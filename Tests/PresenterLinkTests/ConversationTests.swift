import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport
import Testing

@Suite(.inTurn, .serialized, .timeLimit(.minutes(1)))
struct ConversationTests {
  private let limit = MonotonicInstant.now + TestLimits.positive

  private func message(_ conversation: Conversation) throws -> LinkMessage? {
    if case .message(let message, _) = try conversation.receive(until: limit) {
      message
    } else {
      nil
    }
  }

  @Test func `an ask is answered, a finish noted, and the connection serves again`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    let claim = ClaimID(process: .current, number: 1)

    for round in 1...3 {
      let conversation = try world.link.converse(with: peer.identity)
      try conversation.send(world.ask("/f", number: UInt64(round)))
      #expect(try message(conversation) == .answered(nil))
      try conversation.send(.accessBegan(WriteBegin(claim: claim, paths: [FilePath("/f")])))
      try conversation.send(
        .finished(FinishMessage(claim: claim, notices: [.changed(FilePath("/f"))]))
      )
      #expect(try message(conversation) == .noted)
      conversation.finish()
      try await peer.expect("got ask \(round) 1")
      try await peer.expect("got began")
      try await peer.expect("got finished 1")
    }

    #expect(!peer.hasSaid("lost"))
  }
}
