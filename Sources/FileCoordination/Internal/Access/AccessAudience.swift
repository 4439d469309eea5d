import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// Everybody whom one access concerns: presenters of this process and processes that present.
///
/// Used by the thread that makes the access.
final class AccessAudience: Sendable {
  private let claim: ClaimID
  private let local: PresenterSide
  private let onBehalfOf: [ClaimID]
  private let parties = Mutex<[RemoteParty]>([])
  /// Processes that could not be reached: they are going, or listen no more.
  private let unreachable = Mutex<Set<ProcessIdentity>>([])

  /// The audience of a claim, without the coordinator's own presenter, `excluded`.
  ///
  /// `onBehalfOf` names claims that this presenter is answering: whom they asked is not asked again.
  init(_ claim: ClaimID, excluding excluded: ObjectIdentifier?, onBehalfOf: [ClaimID]) {
    self.claim = claim
    self.onBehalfOf = onBehalfOf
    local = PresenterSide(claim, excluding: excluded)
  }

  /// The processes that were asked or told.
  var processes: [ProcessIdentity] { parties.withLock { $0.map(\.process) } }

  // MARK: Asking

  /// Whether somebody must be asked about these items and was not asked yet.
  ///
  /// - Throws: ``CoordinationError`` when it cannot be told.
  func hasSomebodyToAsk(about asked: [AskedItem], for items: [AccessItem])
    throws(CoordinationError) -> Bool
  {
    if local.hasSomebodyToAsk(message(asked)) { return true }
    return try !newPeers(asked, items).isEmpty
  }

  /// Asks everybody who is new, all at once, and waits for their answers.
  ///
  /// `items` is what the caller named, for error messages; `willWait` is called once everybody was
  /// asked, before the wait.
  /// - Throws: ``CoordinationError``: refused, silent, cancelled or out of time; somebody who lives
  ///   could not be asked. The caller abandons.
  func ask(
    about asked: [AskedItem],
    for items: [AccessItem],
    _ waiter: CoordinationWaiter,
    until deadline: MonotonicInstant?,
    willWait: () -> Void = {}
  ) throws(CoordinationError) {
    let message = message(asked)
    let answers = AnswerCollector(items, waiter, deadline: deadline)
    for peer in try newPeers(asked, items) {
      do throws(SystemError) {
        guard let party = try party(of: peer.process) else {
          unreachable.withLock { _ = $0.insert(peer.process) }
          continue
        }
        party.noteAsked(peer.paths)
        if try party.ask(.ask(message)) { answers.expect(party) }
      } catch {
        // A stopped process whose queue is full is passed over like one whose queue is not.
        if error.code == .again, peer.process.state != .running { continue }
        throw CoordinationError(cannotAsk: peer, error, items)
      }
    }
    if local.hasSomebodyToAsk(message) {
      answers.expectLocal(local)
      local.ask(message) { answers.localAnswered($0) }
    }
    willWait()
    try answers.collect()
  }

  private func message(_ items: [AskedItem]) -> AskMessage {
    AskMessage(claim: claim, items: items, onBehalfOf: onBehalfOf)
  }

  private func newPeers(_ asked: [AskedItem], _ items: [AccessItem]) throws(CoordinationError)
    -> [PeerPresence]
  {
    let known = parties.withLock { $0 }
    let unreachable = unreachable.withLock { $0 }
    return try peers(presenting: .toAsk(about: asked), items).filter { peer in
      if unreachable.contains(peer.process) { return false }
      return known.first { $0.process == peer.process }?.hasAsked(peer.paths) != true
    }
  }

  private func peers(presenting query: PresenceQuery, _ items: [AccessItem])
    throws(CoordinationError) -> [PeerPresence]
  {
    do throws(RuntimeDirectoryError) {
      return try PresenterNetwork.peers(presenting: query)
    } catch {
      throw CoordinationError(cannotLook: error, items)
    }
  }

  private func party(of process: ProcessIdentity) throws(SystemError) -> RemoteParty? {
    if let known = parties.withLock({ $0.first { $0.process == process } }) { return known }
    guard let conversation = try PresenterNetwork.converse(with: process) else { return nil }
    let party = RemoteParty(conversation)
    parties.withLock { $0.append(party) }
    return party
  }

  // MARK: Telling

  /// Tells whoever will hear of the outcome that the accessor is about to run; says if anybody will.
  ///
  /// - Throws: ``CoordinationError`` when somebody who lives could not be told afterwards, either.
  func announceAccessor(on asked: [AskedItem], for items: [AccessItem])
    throws(CoordinationError) -> Bool
  {
    for peer in try peers(presenting: .toTell(about: asked), items) {
      do throws(SystemError) { _ = try party(of: peer.process) } catch {
        // Whose queue is full knows it, and looks at everything when it reads it.
        if error.code == .again { continue }
        throw CoordinationError(cannotAsk: peer, error, items)
      }
    }
    let parties = parties.withLock { $0 }
    let begin = WriteBegin(claim: claim, paths: asked.map(\.item))
    for party in parties { _ = party.send(.accessBegan(begin)) }
    local.begin(begin.paths)
    return !parties.isEmpty || !PresenterRegistry.isEmpty
  }

  /// Tells everybody what happened and gives the items back; returns when all have queued it, or two
  /// seconds later.
  func finish(_ notices: [Notice]) {
    for case .moved(let old, let new) in notices {
      addParties(presenting: .toTell(ofMove: old, to: new))
    }
    let parties = parties.withLock { $0 }
    let receipts = ReceiptCollector()
    let told = Mutation.losesNotice() ? [] : notices
    let message = LinkMessage.finished(FinishMessage(claim: claim, notices: told))
    for party in parties where party.send(message) { receipts.expect(party) }
    receipts.expectLocal()
    local.finish(notices) { receipts.localNoted() }
    receipts.collect()
    for party in parties { party.close() }
  }

  /// Tells presenters something that belongs to no access.
  func tell(_ notice: Notice, presenting query: PresenceQuery) {
    addParties(presenting: query)
    finish([notice])
  }

  /// The accessor has run: whom it cannot reach now can only be reported.
  private func addParties(presenting query: PresenceQuery) {
    do {
      for peer in try PresenterNetwork.peers(presenting: query) { _ = try party(of: peer.process) }
    } catch {
      Diagnostics.report("somebody who presents what was changed was not told: \(error)")
    }
  }

  /// The access does not happen: everybody who was asked gets the item back.
  func abandon() {
    local.abandon()
    for party in parties.withLock({ $0 }) {
      _ = party.send(.abandoned(claim))
      party.close()
    }
  }
}
