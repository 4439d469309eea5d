import AccessClaims
import CoordinationRuntime
import LinuxSystem
import PresenterLink

/// This process's place among those that present: the link, with ourselves as its host.
enum PresenterNetwork {
  /// The link of this process, opened on first use and again after a fork.
  static func link() throws(RuntimeDirectoryError) -> PresenterLink {
    let link = try PresenterLink.shared()
    if link.host == nil { link.host = LinkHost.shared }
    return link
  }

  static func mayBePresented(_ query: @autoclosure () -> PresenceQuery) -> Bool {
    // Without a usable runtime directory no claim was granted either, so nobody comes here.
    (try? link().mayBePresented(query())) ?? false
  }

  /// A number that changes whenever somebody's answer to ``mayBePresented(_:)`` may change.
  static var presenceStamp: UInt64? {
    // As above.
    try? link().presenceStamp
  }

  /// The other processes that present what is looked for.
  ///
  /// - Throws: when that cannot be told, for want of descriptors say: it never means "nobody".
  static func peers(presenting query: PresenceQuery) throws(RuntimeDirectoryError)
    -> [PeerPresence]
  {
    let link = try link()
    guard link.mayBePresented(query) else { return [] }
    return try link.peers(presenting: query)
  }

  /// A conversation with a process, or nil if it is gone or does not listen any more.
  ///
  /// - Throws: why a process that lives could not be reached: EMFILE, ENOMEM, EAGAIN (its queue is
  ///   full) and the like.
  static func converse(with process: ProcessIdentity) throws(SystemError) -> Conversation? {
    // Without a link `peers` has thrown before.
    guard let link = try? link() else { return nil }
    do throws(SystemError) {
      return try link.converse(with: process)
    } catch {
      CoordinationTrace.record(.diagnostic, "\(process) cannot be reached: \(error)")
      if RemoteParty.isOurTrouble(error) { throw error }
      return nil
    }
  }

  /// Blocks until what other processes had sent by now was taken in, half a second at most.
  ///
  /// Never called on the link thread, which waits for nobody.
  static func settle() {
    guard let link = try? link() else { return }  // without a link nobody can have sent anything
    if link.isAtRest { return }
    let parker = ThreadParker()
    let isDone = DoneFlag()
    link.fence {
      isDone.set()
      parker.wake()
    }
    let deadline = MonotonicInstant.now + .milliseconds(500)
    while !isDone.isSet, MonotonicInstant.now < deadline { parker.wait(until: deadline) }
  }

  static func withdraw(_ presence: PresenceID) {
    // Withdrawing from a directory that is gone is done already.
    try? link().withdraw(presence)
  }

  static func move(_ presence: PresenceID, to path: FilePath) {
    do { try link().move(presence, to: path) } catch {
      Diagnostics.report("a presented item moved to \(path), but others will not find it: \(error)")
    }
  }
}

/// Receives what other processes ask and tell; on the link thread, so nothing here blocks.
final class LinkHost: PresenterHost {
  static let shared = LinkHost()
  private let sides = Mutex<[IncomingConversation.ID: PresenterSide]>([:])

  func received(
    _ message: LinkMessage,
    descriptors: [SharedDescriptor],
    in conversation: IncomingConversation
  ) {
    switch message {
    case .ask(let message):
      side(of: conversation, message.claim).ask(message) { refusal in
        conversation.reply(.answered(refusal.map { WireError($0) }))
      }
    case .accessBegan(let begin):
      side(of: conversation, begin.claim).begin(begin.paths)
    case .finished(let message):
      let side = side(of: conversation, message.claim)
      forget(conversation)
      side.finish(message.notices) { conversation.reply(.noted) }
    case .abandoned(let claim):
      let side = side(of: conversation, claim)
      forget(conversation)
      side.abandon()
    case .partner(let bytes):
      PurposePartnership.shared.serve(bytes, in: conversation)
    default:
      break
    }
  }

  func lost(_ conversation: IncomingConversation) {
    forget(conversation)?.askerDied()
  }

  /// Messages to this process were lost: its presenters look again, as after a change.
  ///
  /// What moved or went away meanwhile the monitor knows by itself.
  func overflowed() {
    Diagnostics.report("messages of other processes were lost; every presenter looks again")
    for record in PresenterRegistry.all { record.deliver { $0.presentedItemDidChange() } }
  }

  func guardDirectory(
    _ directory: SharedDescriptor,
    isInForce: @escaping @Sendable (Bool) -> Void,
    heard: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void {
    UncoordinatedChanges.guardDirectory(directory, isInForce: isInForce, heard: heard)
  }

  private func side(of conversation: IncomingConversation, _ claim: ClaimID) -> PresenterSide {
    sides.withLock { sides in
      if let side = sides[conversation.id] { return side }
      let side = PresenterSide(claim, isRemote: true)
      sides[conversation.id] = side
      return side
    }
  }

  @discardableResult
  private func forget(_ conversation: IncomingConversation) -> PresenterSide? {
    sides.withLock { $0.removeValue(forKey: conversation.id) }
  }
}
