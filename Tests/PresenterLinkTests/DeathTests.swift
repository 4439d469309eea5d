import CoordinationRuntime
import LinuxSystem
import PresenterLink
import TestSupport
import Testing

/// Processes that are killed or stopped in each phase of a conversation.
@Suite(.inTurn, .serialized, .timeLimit(.minutes(3)), .tags(.crash, .multiProcess))
struct DeathTests {
  private let limit = MonotonicInstant.now + .seconds(50)

  /// How far the asker gets before it is killed, and what the other side must hear.
  struct Phase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: [(say: String, answer: String)]
    let answers: Bool
    let lost: String?
  }

  static let phases: [Phase] = [
    Phase(testDescription: "before the answer", steps: [], answers: false, lost: "lost asked"),
    Phase(testDescription: "after the answer", steps: [], answers: true, lost: "lost answered"),
    Phase(
      testDescription: "in the accessor",
      steps: [("send began", "sent began")],
      answers: true,
      lost: "lost accessBegan"
    ),
    Phase(
      testDescription: "after the accessor",
      steps: [("send began", "sent began"), ("send finished", "heard noted")],
      answers: true,
      lost: nil
    ),
    Phase(
      testDescription: "after it gave up",
      steps: [("send abandoned", "sent abandoned")],
      answers: true,
      lost: nil
    ),
  ]

  @Test(arguments: phases)
  func `an asker that dies is missed exactly when something was open`(phase: Phase) async throws {
    let world = try LinkWorld()
    let asker = try await world.peer()
    let presenter = try await world.peer()
    try await presenter.say("mode hold", "mode")
    try await presenter.say("present /f", "presented")
    let name = "\(presenter.identity.pid) \(presenter.identity.started)"
    try await asker.say("ask \(name) /f", "asked")
    try await presenter.expect("got ask")
    if phase.answers {
      try await presenter.say("answer", "answered 1")
      try await asker.expect("heard answered")
    }
    for step in phase.steps { try await asker.say(step.say, step.answer) }
    // What was sent has arrived: packets of a connection stay in order.
    if phase.steps.contains(where: { $0.say == "send began" }) {
      try await presenter.expect("got began")
    }
    if phase.steps.contains(where: { $0.say == "send abandoned" }) {
      try await presenter.expect("got abandoned")
    }

    asker.kill()

    if let lost = phase.lost {
      try await presenter.expect(lost)
    } else {
      #expect(try await never { presenter.hasSaid("lost") })
    }
    // It goes on serving others.
    try await presenter.say("mode auto", "mode")
    let conversation = try world.link.converse(with: presenter.identity)
    try conversation.send(world.ask("/f"))
    guard case .message(.answered, _) = try conversation.receive(until: limit) else {
      Issue.record("no answer")
      return
    }
  }

  @Test func `a presenter that dies before, during and after its answer closes the conversation`()
    async throws
  {
    let world = try LinkWorld()
    for answersFirst in [false, true] {
      let peer = try await world.peer()
      if !answersFirst { try await peer.say("mode hold", "mode") }
      try await peer.say("present /f", "presented")
      let conversation = try world.link.converse(with: peer.identity)
      try conversation.send(world.ask("/f"))
      try await peer.expect("got ask")
      if answersFirst {
        guard case .message(.answered, _) = try conversation.receive(until: limit) else {
          Issue.record("no answer")
          return
        }
      }

      peer.kill()

      var last = try conversation.receive(until: limit)
      while case .message(.received, _) = last { last = try conversation.receive(until: limit) }
      guard case .closed = last else {
        Issue.record("\(String(describing: last)) instead of the end")
        return
      }
      conversation.finish()
      // What is left of it is found out and removed.
      #expect { try world.link.converse(with: peer.identity) } throws: { error in
        (error as? SystemError)?.code == .noProcess
      }
      #expect(world.folder(of: peer).isEmpty)
    }
  }

  @Test func `an idle connection whose peer died is not used again`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    let first = try world.link.converse(with: peer.identity)
    try first.send(world.ask("/f"))
    guard case .message(.answered, _) = try first.receive(until: limit) else {
      Issue.record("no answer")
      return
    }
    first.finish()

    peer.kill()

    #expect(throws: SystemError.self) { try world.link.converse(with: peer.identity) }
    let other = try await world.peer()
    try await other.say("present /f", "presented")
    #expect(
      try world.link.peers(presenting: world.query("/f"))
        == [PeerPresence(process: other.identity, paths: [FilePath("/f")])]
    )
  }

  @Test func `a stopped process acknowledges nothing, and answers when it goes on`() async throws {
    let world = try LinkWorld()
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    try await peer.stop()

    let conversation = try world.link.converse(with: peer.identity)
    try conversation.send(world.ask("/f"))
    #expect(try conversation.receive(until: .now + .milliseconds(300)) == nil)
    #expect(peer.identity.state == .stopped)

    peer.process.send(.continue)
    var last = try conversation.receive(until: limit)
    while case .message(.received, _) = last { last = try conversation.receive(until: limit) }
    guard case .message(.answered(nil), _) = last else {
      Issue.record("\(String(describing: last)) instead of the answer")
      return
    }
  }

  @Test func `folders of dead processes and of dead builders are removed`() async throws {
    let world = try LinkWorld()
    let peers = world.runtime.path.appending("peers")
    let peer = try await world.peer()
    try await peer.say("present /f", "presented")
    let grave = peers.appending("dead-1.2")
    let unfinished = peers.appending("new-1.2")
    for folder in [grave, unfinished] { try FileSystem.makeDirectory(folder) }
    _ = try Descriptor.open(grave.appending("alive"), [.readWrite, .create]).number
    peer.kill()

    #expect(try world.link.everything().isEmpty)

    #expect(world.folder(of: peer).isEmpty)
    #expect(throws: SystemError.self) { try FileStatus(of: grave) }
    // Somebody may just be building it; after a minute it would go.
    #expect(throws: Never.self) { try FileStatus(of: unfinished) }
    #expect(!world.link.mayBePresented(world.query("/f")))
  }
}
