import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport
import Testing

@Suite struct WireTests {
  private static let claim = ClaimID(
    process: ProcessIdentity(pid: 4711, started: 99),
    number: 1 << 40
  )
  private static let odd = FilePath(bytes: [0x2f, 0xff, 0xfe, 0x2f, 0x62])

  static let messages: [LinkMessage] = [
    .hello(ProcessIdentity(pid: 1, started: .max)),
    .ask(
      AskMessage(
        claim: claim,
        items: [
          AskedItem(item: odd, access: .reading(9)),
          AskedItem(
            item: FilePath("/p.pkg/x"),
            packages: [FilePath("/p.pkg")],
            access: .writing(31),
            isDirectory: true,
            isPackage: true,
            isPrepare: true
          ),
        ],
        purpose: "ü purpose",
        onBehalfOf: [claim, claim]
      )
    ),
    .received,
    .answered(nil),
    .answered(WireError(domain: "NSCocoaErrorDomain", code: -3072, strings: ["a": "b", "": "ü"])),
    .accessBegan(WriteBegin(claim: claim, paths: [odd, FilePath("/")])),
    .finished(
      FinishMessage(
        claim: claim,
        notices: [
          .changed(odd), .appeared(odd), .deleted(odd, wasAccommodated: true),
          .moved(odd, FilePath("/new")), .ubiquity(odd, ["k1", "k2"]),
          .version(odd, kind: 3, payload: [1, 2, 3]),
        ]
      )
    ),
    .noted,
    .abandoned(claim),
    .partner([0, 255]),
    .partnerReply([]),
    .refused(.init(.unattended, version: 200)),
  ]

  private func decode(_ bytes: [UInt8]) throws(LinkPacket.Fault) -> LinkPacket {
    try LinkPacket.decode(bytes) { () throws(SystemError) in
      throw SystemError("recvmsg", .badMessage)
    }
  }

  private func bytes(_ message: LinkMessage) -> [UInt8] {
    let encoded = LinkPacket(conversation: 7, message: message).encoded()
    return encoded.map { $0.header + $0.body } ?? []
  }

  @Test(arguments: messages) func `every message arrives as it was sent`(message: LinkMessage)
    throws
  {
    let packet = LinkPacket(conversation: 7, message: message)
    #expect(try decode(bytes(message)) == packet)
  }

  @Test func `bytes behind the known fields are left alone`() throws {
    for message in Self.messages {
      // The whole of a partner's body is the partner's.
      if case .partner = message { continue }
      if case .partnerReply = message { continue }
      #expect(try decode(bytes(message) + [1, 2, 3]).message == message)
    }
  }

  @Test func `a notice of an unknown kind is skipped`() throws {
    let known = bytes(.finished(FinishMessage(claim: Self.claim, notices: [.changed(Self.odd)])))
    // Header 12, claim 20, count 4, length 4, then the kind.
    var unknown = known
    unknown[40] = 77
    let expected = LinkMessage.finished(FinishMessage(claim: Self.claim, notices: []))
    #expect(try decode(unknown).message == expected)
  }

  @Test func `another version is told from damage`() {
    var packet = bytes(.noted)
    packet[2] = LinkPacket.version + 1
    #expect {
      try decode(packet)
    } throws: { error in
      if case LinkPacket.Fault.version(let version) = error { version == 2 } else { false }
    }
  }

  @Test func `truncated packets are refused`() {
    for message in Self.messages {
      let whole = bytes(message)
      for length in 0..<whole.count {
        // A cut may leave a whole message only where the message ends in bytes of any number.
        if case .partner = message, length >= 12 { continue }
        #expect(throws: LinkPacket.Fault.self, "\(message) cut to \(length)") {
          try decode(Array(whole[..<length]))
        }
      }
    }
  }

  @Test func `random and damaged bytes are refused or understood, never worse`() {
    var generator = SplitMix(seed: 0x5eed)
    for round in 0..<4_000 {
      var packet: [UInt8]
      if round % 2 == 0 {
        packet = bytes(Self.messages[round / 2 % Self.messages.count])
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<packet.count, using: &generator)
          packet[place] = UInt8.random(in: 0...255, using: &generator)
        }
      } else {
        let count = Int.random(in: 0...200, using: &generator)
        packet = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        // Most would fail at the first byte otherwise.
        let start: [UInt8] = [0x46, 0x43, 1, UInt8(round % 13)]
        for (index, byte) in start.enumerated() where index < count { packet[index] = byte }
        if count > 8 { packet[8] = 0 }
      }
      _ = try? decode(packet)
    }
  }

  @Test func `a number that promises much is not believed`() {
    // An ask with no claim worth mentioning and four thousand million items.
    var packet = bytes(.ask(AskMessage(claim: Self.claim, items: [])))
    packet.replaceSubrange(32..<36, with: [0xff, 0xff, 0xff, 0xff])
    #expect(throws: LinkPacket.Fault.self) { try decode(packet) }
  }
}

/// Random numbers that come again with the same seed.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var x = state
    x = (x ^ (x >> 30)) &* 0xbf58_476d_1ce4_e5b9
    x = (x ^ (x >> 27)) &* 0x94d0_49bb_1331_11eb
    return x ^ (x >> 31)
  }
}
