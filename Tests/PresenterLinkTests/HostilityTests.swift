import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport
import Testing

/// Peers that speak badly, or should not speak here at all.
@Suite(.inTurn, .serialized, .timeLimit(.minutes(3)), .tags(.multiProcess))
struct HostilityTests {
  private let limit = MonotonicInstant.now + .seconds(50)

  /// A bare connection to a peer, without any of the link's care.
  private func connect(_ world: LinkWorld, _ peer: LinkPeerProcess) throws -> Descriptor {
    let peers = try Descriptor.open(world.runtime.path.appending("peers"), [.readOnly, .directory])
    let name = "\(peer.identity.pid).\(peer.identity.started)/socket"
    let end = MonotonicInstant.now + TestLimits.positive
    while true {
      do throws(SystemError) {
        return try UnixSocket.connect(in: peers.number, name: name)
      } catch {
        // A full backlog is being emptied.
        guard error.code == .again, MonotonicInstant.now < end else { throw error }
      }
    }
  }

  private func bytes(_ message: LinkMessage, conversation: UInt32 = 1) -> [UInt8] {
    let encoded = LinkPacket(conversation: conversation, message: message).encoded()
    return encoded.map { $0.header + $0.body } ?? []
  }

  /// What comes over a bare connection until its end.
  private func everything(from socket: borrowing Descriptor) throws -> [LinkMessage] {
    var messages: [LinkMessage] = []
    while UnixSocket.waitReadable(socket.number, until: limit) {
      switch try UnixSocket.receive(from: socket.number) {
      case .closed: return messages
      case .nothing: continue
      case .packet(let packet, _):
        let decoded = try LinkPacket.decode(packet) { () throws(SystemError) in
          throw SystemError("recvmsg", .badMessage)
        }
        messages.append(decoded.message)
      }
    }
    throw NotInTime("the connection did not end")
  }

  private func checkStillServes(_ world: LinkWorld, _ peer: LinkPeerProcess) async throws {
    let conversation = try await eventually(
      "connected",
      value: { () throws -> Conversation? in
        do throws(SystemError) { return try world.link.converse(with: peer.identity) } catch {
          // The queue is being emptied.
          guard error.code == .again else { throw error }
          return nil
        }
      }
    )
    try conversation.send(world.ask("/f"))
    guard case .message(.answered, _) = try conversation.receive(until: limit) else {
      Issue.record("no answer any more")
      return
    }
    conversation.finish()
  }

  @Test func `damaged packets end their connection and nothing else`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode quiet", "mode")
    try await peer.say("present /f", "presented")
    let hello = bytes(.hello(.current), conversation: 0)
    var generator = SplitMix(seed: 1)
    let noise = (0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var oldVersion = bytes(.noted)
    oldVersion[2] = 0
    let cases: [(String, [[UInt8]], LinkMessage.Refusal.Reason)] = [
      ("noise", [noise], .malformed),
      ("noise after hello", [hello, noise], .malformed),
      ("another version", [hello, oldVersion], .version),
      ("no hello", [bytes(world.ask("/f"))], .malformed),
      ("hello twice", [hello, hello], .malformed),
      ("an answer nobody asked for", [hello, bytes(.answered(nil))], .malformed),
      (
        "an old conversation",
        [hello, bytes(world.ask("/f"), conversation: 5), bytes(world.ask("/f"), conversation: 4)],
        .malformed
      ),
      (
        "a body in a file that is not there",
        [
          hello,
          {
            var b = bytes(world.ask("/f")); b[8] = 1; return b
          }(),
        ], .malformed
      ),
      ("one byte", [[0x46]], .malformed),
    ]

    for (name, packets, reason) in cases {
      let socket = try connect(world, peer)
      for packet in packets { try UnixSocket.send(packet, to: socket.number) }
      let last = try everything(from: socket).last
      #expect(last == .refused(.init(reason)), "\(name)")
    }
    try await checkStillServes(world, peer)
  }

  @Test func `an oversized packet and a body that could still change are refused`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode quiet", "mode")
    try await peer.say("present /f", "presented")
    let hello = bytes(.hello(.current), conversation: 0)

    let long = try connect(world, peer)
    try UnixSocket.send(hello, to: long.number)
    let tooLong = bytes(.partner([UInt8](repeating: 0, count: UnixSocket.packetLimit + 1)))
    try UnixSocket.send(tooLong, to: long.number)
    #expect(try everything(from: long).last == .refused(.init(.malformed)))

    // A pipe would block whoever reads it as a body.
    let piped = try connect(world, peer)
    let (end, _) = try Descriptor.pipe()
    var packet = bytes(world.ask("/f"))
    packet[8] = 1
    try UnixSocket.send(hello, to: piped.number)
    try UnixSocket.send(packet, descriptors: [end.number], to: piped.number)
    #expect(try everything(from: piped).last == .refused(.init(.malformed)))

    // More descriptors than a message has room for are closed again.
    let many = try connect(world, peer)
    let file = try Descriptor.open(FilePath("/dev/null"), .readOnly)
    try UnixSocket.send(hello, to: many.number)
    for round in 1...20 {
      try UnixSocket.send(
        bytes(world.ask("/f"), conversation: UInt32(round)),
        descriptors: [CInt](repeating: file.number, count: 60),
        to: many.number
      )
    }
    try await checkStillServes(world, peer)
    let deadline = MonotonicInstant.now + TestLimits.positive
    var count = Int.max
    while count >= 60, MonotonicInstant.now < deadline {
      let line = try await peer.say("descriptors", "descriptors")
      count = line.split(separator: " ").last.flatMap { Int($0) } ?? .max
    }
    #expect(count < 60)
  }

  @Test func `random packets do not hurt a presenter`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode quiet", "mode")
    try await peer.say("present /f", "presented")
    var generator = SplitMix(seed: 0xf002)
    let hello = bytes(.hello(.current), conversation: 0)

    for round in 0..<200 {
      let socket = try connect(world, peer)
      try UnixSocket.send(hello, to: socket.number)
      for number in 1...5 {
        var packet = bytes(
          WireTests.messages[Int.random(in: 0..<WireTests.messages.count, using: &generator)],
          conversation: UInt32(number)
        )
        for _ in 0..<(round % 4) {
          packet[Int.random(in: 4..<packet.count, using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        // A peer that hung up is as good.
        try? UnixSocket.send(packet, to: socket.number)
      }
    }

    try await checkStillServes(world, peer)
  }

  @Test func `who reads nothing fills its queue, and looks at everything afterwards`() async throws
  {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("mode quiet", "mode")
    try await peer.say("present /f", "presented")
    let conversation = try world.link.converse(with: peer.identity)
    try await peer.stop()
    let claim = ClaimID(process: .current, number: 1)
    let begin = LinkMessage.accessBegan(
      WriteBegin(
        claim: claim,
        paths: [FilePath(bytes: [UInt8](repeating: 0x61, count: 4000))]
      )
    )

    var failure: SystemError?
    for _ in 0..<10_000 where failure == nil {
      do throws(SystemError) { try conversation.send(begin) } catch { failure = error }
    }

    #expect(failure?.code == .again)
    #expect(!peer.hasSaid("overflowed"))
    peer.process.send(.continue)
    try await peer.expect("overflowed")
    try await checkStillServes(world, peer)
  }

  @Test func `a full backlog is an error to the caller, and makes the peer look`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    try await peer.stop()

    var kept: [Conversation] = []
    var failure: SystemError?
    for _ in 0..<400 where failure == nil {
      do throws(SystemError) { kept.append(try world.link.converse(with: peer.identity)) } catch {
        failure = error
      }
    }

    #expect(failure?.code == .again)
    peer.process.send(.continue)
    try await peer.expect("overflowed")
    try await checkStillServes(world, peer)
    withExtendedLifetime(kept) {}
  }

  @Test func `who has no descriptor left to accept with answers when it has`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    try await peer.say("limit", "limited")

    let conversation = try world.link.converse(with: peer.identity)
    try conversation.send(world.ask("/f"))
    #expect(try conversation.receive(until: .now + TestLimits.negative) == nil)
    try await peer.say("unlimit", "unlimited")

    guard case .message(.answered, _) = try conversation.receive(until: limit) else {
      Issue.record("no answer")
      return
    }
  }

  @Test(.enabled(if: Environment.user == 0, "needs two users"))
  func `two users who share a directory reach each other`() async throws {
    let world = try LinkWorld(sharedWithGroup: true)
    let other = try await world.peer(asNobody: true)
    try await other.say("present /f", "presented")
    #expect(try world.link.everything().map(\.process) == [other.identity])
    try await checkStillServes(world, other)
    try await other.expect("got ask")

    let ours = try await world.peer()
    try await ours.say("present /g", "presented")
    try await other.say("ask \(ours.identity.pid) \(ours.identity.started) /g", "asked")
    try await other.expect("heard answered")
  }

  @Test(.enabled(if: Environment.user == 0, "needs two users"))
  func `a stranger is hung up on, even where file permissions let it in`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    let folder = world.runtime.path.appending("peers")
      .appending("\(peer.identity.pid).\(peer.identity.started)")
    try world.openToAll([folder, folder.appending("socket")])

    #expect(try await world.knock(at: folder, asNobody: true) == "hung up on")
    #expect(try await world.knock(at: folder, asNobody: false) == "answered")
    try await checkStillServes(world, peer)
  }
}
