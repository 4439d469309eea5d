import CoordinationRuntime
package import LinuxSystem

/// One claim's talk with one process that presents something, on a connection of its own.
///
/// Whoever claims reads the answers itself, by ``socketNumber`` and ``receive()``: no thread stands
/// between. If this process dies, or lets go of the conversation before it is over, the peer is told
/// by the kernel.
package final class Conversation: Sendable {
  /// What ``receive()`` found.
  package enum Received: Sendable {
    case message(LinkMessage, [SharedDescriptor])
    case nothing
    /// The peer died: it counts as having answered. Or what it sent was no packet of ours.
    case closed
  }

  fileprivate struct State {
    var connection: PeerConnector.Connection
    /// Counts the conversations on the connection.
    var number: UInt32
    /// Nothing was sent yet, and the connection may have ended while it was idle.
    var mayReconnect: Bool
    /// Answers that are still to come.
    var owed = 0
    var isBroken = false
    var isFinished = false
  }
  /// The process at the other end.
  package let peer: ProcessIdentity
  private let connector: PeerConnector
  private let state: Mutex<State>

  /// - Throws: as ``PeerConnector/connect(_:)``.
  init(_ peer: ProcessIdentity, _ connector: PeerConnector) throws(SystemError) {
    self.peer = peer
    self.connector = connector
    let idle = connector.takeIdle(peer)
    let connection = if let idle { idle } else { try connector.connect(peer) }
    state = Mutex(
      State(
        connection: connection,
        number: connection.lastNumber + 1,
        mayReconnect: idle != nil
      )
    )
  }

  /// What to poll while waiting for answers; changes at most with the first ``send(_:descriptors:)``.
  package var socketNumber: CInt { state.withLock { $0.connection.socket.number } }

  /// Sends a message.
  ///
  /// Never waits.
  /// - Throws: EAGAIN when the peer's queue is full (it will look at everything when it reads it);
  ///   EPIPE or ESRCH when it is gone; EMSGSIZE.
  package func send(_ message: LinkMessage, descriptors: [CInt] = []) throws(SystemError) {
    let before = state.withLock { state in
      defer {
        state.mayReconnect = false
        if message.isAnswered { state.owed += 1 }
      }
      return state
    }
    CoordinationTrace.record(.message, claim: message.claim, "\(message.name) to \(peer)")
    let packet = LinkPacket(conversation: before.number, message: message)
    do throws(SystemError) {
      try send(packet, descriptors, on: before.connection.socket)
    } catch  where before.mayReconnect && PeerConnector.meansUnreachable(error) {
      let fresh = try connector.connect(peer)
      state.withLock { state in
        state.connection = fresh
        state.number = 1
      }
      try send(LinkPacket(conversation: 1, message: message), descriptors, on: fresh.socket)
    }
  }

  private func send(_ packet: LinkPacket, _ descriptors: [CInt], on socket: PacketSocket)
    throws(SystemError)
  {
    do throws(SystemError) {
      try socket.send(packet, descriptors: descriptors)
    } catch  where error.code == .again {
      connector.noteFullQueue(of: peer)
      // Again, so that whoever emptied the queue just before the note still sees a packet after it.
      try socket.send(packet, descriptors: descriptors)
    }
  }

  /// Takes the next message, if one is there.
  ///
  /// Never waits.
  /// - Throws: EMFILE, ENOMEM.
  package func receive() throws(SystemError) -> Received {
    while true {
      let (socket, number) = state.withLock { ($0.connection.socket, $0.number) }
      switch try socket.receive() {
      case .nothing: return .nothing
      case .closed, .fault:
        state.withLock { $0.isBroken = true }
        return .closed
      case .packet(let packet, let descriptors):
        // An answer to a conversation that was given up before this one began.
        guard packet.conversation == number else { continue }
        state.withLock { $0.note(packet.message) }
        CoordinationTrace.record(.message, "\(packet.message.name) came from \(peer)")
        return .message(packet.message, descriptors)
      }
    }
  }

  /// Blocks the calling thread until a message is there; nil: `deadline` passed.
  package func receive(until deadline: MonotonicInstant?) throws(SystemError) -> Received? {
    while true {
      let received = try receive()
      if case .nothing = received {
        guard UnixSocket.waitReadable(socketNumber, until: deadline) else { return nil }
        continue
      }
      return received
    }
  }

  /// Ends the conversation: its connection serves the next, unless something is still owed.
  ///
  /// A conversation that is let go without is closed: to the peer, the asker is gone.
  package func finish() {
    let connection = state.withLock { state -> PeerConnector.Connection? in
      guard !state.isFinished else { return nil }
      state.isFinished = true
      guard !state.isBroken, state.owed == 0 else { return nil }
      state.connection.lastNumber = state.number
      return state.connection
    }
    if let connection { connector.put(connection, peer) }
  }
}

extension Conversation.State {
  fileprivate mutating func note(_ message: LinkMessage) {
    switch message {
    case .answered, .noted, .partnerReply: owed = max(0, owed - 1)
    case .refused: isBroken = true
    default: break
    }
  }
}

extension LinkMessage {
  /// Whether the other side owes an answer to it.
  fileprivate var isAnswered: Bool {
    switch self {
    case .ask, .finished, .partner: true
    default: false
    }
  }
}
