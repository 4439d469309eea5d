import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport
import Testing

@Suite(.inTurn, .serialized, .timeLimit(.minutes(3)))
struct ConversationTests {
  private let claim = ClaimID(process: .current, number: 1)

  private func next(_ conversation: Conversation) throws -> LinkMessage? {
    let limit = MonotonicInstant.now + TestLimits.positive
    if case .message(let message, _) = try conversation.receive(until: limit) { return message }
    return nil
  }

  @Test func `an ask is answered, a finish noted, and the connection serves again`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")

    var sockets: Set<CInt> = []
    for round in 1...3 {
      let conversation = try world.link.converse(with: peer.identity)
      sockets.insert(conversation.socketNumber)
      try conversation.send(world.ask("/f", number: UInt64(round)))
      #expect(try next(conversation) == .answered(nil))
      try conversation.send(.accessBegan(WriteBegin(claim: claim, paths: [FilePath("/f")])))
      let notices = [Notice.changed(FilePath("/f"))]
      try conversation.send(.finished(FinishMessage(claim: claim, notices: notices)))
      #expect(try next(conversation) == .noted)
      conversation.finish()
      try await peer.expect("got ask \(round) 1")
      try await peer.expect("got began")
      try await peer.expect("got finished 1")
    }

    #expect(sockets.count == 1)
    #expect(!peer.hasSaid("lost"))
  }

  @Test func `an ask that is not answered soon is acknowledged, and answered later`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode hold", "mode")
    try await peer.say("present /f", "presented")
    let conversation = try world.link.converse(with: peer.identity)
    try conversation.send(world.ask("/f"))

    #expect(try next(conversation) == .received)
    guard case .nothing = try conversation.receive() else {
      Issue.record("answered without being told to")
      return
    }
    try await peer.say("answer", "answered 1")
    #expect(try next(conversation) == .answered(nil))
  }

  @Test func `an answer to somebody who gave up is not sent, and the next is not confused`()
    async throws
  {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode hold", "mode")
    try await peer.say("present /f", "presented")
    let first = try world.link.converse(with: peer.identity)
    try first.send(world.ask("/f"))
    try await peer.expect("got ask")

    try first.send(.abandoned(claim))
    first.finish()

    try await peer.expect("got abandoned")
    try await peer.say("answer", "answered 0")
    try await peer.say("mode auto", "mode")
    let second = try world.link.converse(with: peer.identity)
    try second.send(world.ask("/f", number: 2))
    #expect(try next(second) == .answered(nil))
    #expect(!peer.hasSaid("lost"))
  }

  @Test func `a message of any size that is allowed arrives`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    let conversation = try world.link.converse(with: peer.identity)
    let path = "/" + String(repeating: "long/", count: 8)
    func ask(_ count: Int) -> LinkMessage {
      .ask(
        AskMessage(
          claim: claim,
          items: (0..<count).map {
            AskedItem(item: FilePath("\(path)\($0)"), access: .writing(0))
          }
        )
      )
    }

    for count in [1, 100, 500, 5_000] {
      try conversation.send(ask(count))
      #expect(try next(conversation) == .answered(nil))
      try await peer.expect("got ask 1 \(count)")
    }
    // What nobody would take is not sent: an asker must not take the end for an answer.
    let tooLong = [UInt8](repeating: 0, count: LinkPacket.longestBody + 1)
    #expect(throws: SystemError.self) { try conversation.send(.partner(tooLong)) }
    let tooMany = WriteBegin(
      claim: claim,
      paths: [FilePath](repeating: FilePath("/"), count: LinkPacket.mostElements + 1)
    )
    #expect(throws: SystemError.self) { try conversation.send(.accessBegan(tooMany)) }
    try conversation.send(ask(2))
    try await peer.expect("got ask 1 2")
  }

  @Test func `partners exchange bytes and descriptors`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("listen", "listening")
    let (end, other) = try Descriptor.pipe()

    let reply = world.link.request(
      [1, 2, 3],
      descriptors: [other.number],
      to: peer.identity,
      until: .now + TestLimits.positive
    )

    #expect(reply?.bytes == [3, 2, 1])
    let back = try #require(reply?.descriptors.first)
    #expect(reply?.descriptors.count == 1)
    try back.with { pipe throws(SystemError) in try pipe.write([42]) }
    let got = try end.with { pipe throws(SystemError) in try pipe.read(upTo: 8) }
    #expect(got == [42])
  }

  @Test func `a request that is not replied to ends at its limit`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode hold", "mode")
    try await peer.say("listen", "listening")

    #expect(
      world.link.request([1], to: peer.identity, until: .now + TestLimits.negative) == nil
    )
    try await peer.expect("lost opened")
  }

  @Test func `nobody is kept waiting where nobody takes the messages`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("hostless", "hostless")
    try await peer.say("present /f", "presented")
    let conversation = try world.link.converse(with: peer.identity)

    try conversation.send(world.ask("/f"))
    #expect(try next(conversation) == .answered(nil))
    try conversation.send(.finished(FinishMessage(claim: claim, notices: [])))
    #expect(try next(conversation) == .noted)
    conversation.finish()
    #expect(world.link.request([1], to: peer.identity, until: .now + TestLimits.positive) == nil)
  }

  @Test func `many askers at once are all answered`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode quiet", "mode")
    try await peer.say("present /f", "presented")

    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var answers = 0
          for round in 0..<100 {
            let conversation = try world.link.converse(with: peer.identity)
            try conversation.send(world.ask("/f", number: UInt64(round)))
            let limit = MonotonicInstant.now + TestLimits.positive
            if case .message(.answered, _) = try conversation.receive(until: limit) { answers += 1 }
            conversation.finish()
          }
          return answers
        }
      }
      for try await answers in group { #expect(answers == 100) }
    }
  }
}
