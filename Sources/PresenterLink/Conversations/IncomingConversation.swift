import CoordinationRuntime
package import LinuxSystem
import struct Synchronization.Atomic

/// One claim of another process, as this side hears of it.
package final class IncomingConversation: Sendable {
  /// How far the asker's access has come, as far as it told.
  package enum Stage: Sendable {
    /// Nothing but requests of partners.
    case opened
    /// Its `ask` is unanswered.
    case asked
    /// Its `ask` was answered.
    case answered
    /// Its accessor runs, or ran.
    case accessBegan
    /// Its accessor returned.
    case finished
    /// The access does not happen.
    case abandoned
  }

  fileprivate struct State {
    var stage = Stage.opened
    var owesAnswer = false
    /// Nothing more is expected: if the asker goes now, nothing is lost.
    var isOver = false
    var isLost = false
  }

  /// Tells it from every other conversation of this process.
  package typealias ID = UInt64
  package let id: ID
  /// The process that asks, as it names itself.
  package let peer: ProcessIdentity
  /// Its user, as the kernel says.
  package let uid: UInt32
  let number: UInt32
  private let socket: PacketSocket
  private let state = Mutex(State())
  private static let ids = Atomic<UInt64>(1)

  init(_ socket: PacketSocket, number: UInt32, peer: ProcessIdentity, uid: UInt32) {
    id = Self.ids.add(1, ordering: .relaxed).oldValue
    self.socket = socket
    self.number = number
    self.peer = peer
    self.uid = uid
  }

  package var stage: Stage { state.withLock { $0.stage } }

  /// Sends a message to the asker, from any thread; says whether it may have reached it.
  ///
  /// Never waits. Where the asker is gone or gave up, nothing is sent. An asker that reads nothing
  /// and whose queue is full is cut off.
  @discardableResult
  package func reply(_ message: LinkMessage, descriptors: [CInt] = []) -> Bool {
    let mayGo = state.withLock { $0.note(reply: message) }
    guard mayGo else { return false }
    CoordinationTrace.record(.message, "\(message.name) to \(peer)")
    do throws(SystemError) {
      try socket.send(
        LinkPacket(conversation: number, message: message),
        descriptors: descriptors
      )
      return true
    } catch  where error.code == .tooManyOpenFiles || error.code == .messageTooLong {
      // The message cannot be sent; that it is lost must not hang the asker.
      socket.shutDown()
      return false
    } catch {
      if error.code == .again { socket.shutDown() }
      return false
    }
  }

  /// Whether the `ask` waits for its answer.
  var owesAnswer: Bool { state.withLock { $0.owesAnswer && !$0.isLost } }

  /// Says that the `ask` has arrived, unless it is answered by now.
  ///
  /// Called by the link thread.
  func acknowledge() {
    guard owesAnswer else { return }
    // An asker that is gone needs no acknowledgement.
    try? socket.send(LinkPacket(conversation: number, message: .received))
  }

  /// What is to be done with a message of the asker's.
  enum Verdict { case deliver, ignore, refuse }

  /// Follows what the asker says.
  func note(_ message: LinkMessage) -> Verdict { state.withLock { $0.note(message) } }

  /// The connection is gone; says whether that was in the middle.
  func lose() -> Bool {
    state.withLock { state in
      defer { state.isLost = true }
      return !state.isOver && !state.isLost
    }
  }
}

extension IncomingConversation.State {
  fileprivate mutating func note(_ message: LinkMessage) -> IncomingConversation.Verdict {
    switch message {
    case .ask:
      stage = .asked
      owesAnswer = true
      isOver = false
    case .accessBegan:
      stage = .accessBegan
      isOver = false
    case .finished:
      stage = .finished
      isOver = false
    case .abandoned:
      if isOver { return .ignore }
      stage = .abandoned
      owesAnswer = false
      isOver = true
    case .partner: isOver = false
    case .hello, .received, .answered, .noted, .partnerReply, .refused: return .refuse
    }
    return .deliver
  }

  fileprivate mutating func note(reply message: LinkMessage) -> Bool {
    guard !isLost else { return false }
    switch message {
    case .answered:
      guard owesAnswer else { return false }
      owesAnswer = false
      if stage == .asked { stage = .answered }
    case .noted: isOver = true
    case .partnerReply: isOver = stage == .opened || stage == .finished || stage == .abandoned
    default: break
    }
    return true
  }
}
