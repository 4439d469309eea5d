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
  func hasSomebodyToAsk(about items: [AskedItem]) -> Bool {
    local.hasSomebodyToAsk(message(items)) || !newPeers(items).isEmpty
  }

  /// Asks everybody who is new, all at once, and waits for their answers.
  ///
  /// `items` is what the caller named, for error messages; `willWait` is called once everybody was
  /// asked, before the wait.
  /// - Throws: ``CoordinationError``: refused, silent, cancelled or out of time. The caller abandons.
  func ask(
    about asked: [AskedItem],
    for items: [AccessItem],
    _ waiter: CoordinationWaiter,
    until deadline: MonotonicInstant?,
    willWait: () -> Void = {}
  ) throws(CoordinationError) {
    let message = message(asked)
    let answers = AnswerCollector(items, waiter, deadline: deadline)
    let peers = newPeers(asked)
    for peer in peers {
      guard let party = party(of: peer.process) else { continue }
      party.noteAsked(peer.paths)
      if party.send(.ask(message)) { answers.expect(party) }
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

  private func newPeers(_ items: [AskedItem]) -> [PeerPresence] {
    let known = parties.withLock { $0 }
    return PresenterNetwork.peers(presenting: .toAsk(about: items)).filter { peer in
      known.first { $0.process == peer.process }?.hasAsked(peer.paths) != true
    }
  }

  private func party(of process: ProcessIdentity) -> RemoteParty? {
    if let known = parties.withLock({ $0.first { $0.process == process } }) { return known }
    guard let conversation = PresenterNetwork.converse(with: process) else { return nil }
    let party = RemoteParty(conversation)
    parties.withLock { $0.append(party) }
    return party
  }

  // MARK: Telling

  /// Tells whoever will hear of the outcome that the accessor is about to run; says if anybody will.
  func announceAccessor(on items: [AskedItem]) -> Bool {
    for peer in PresenterNetwork.peers(presenting: .toTell(about: items)) {
      _ = party(of: peer.process)
    }
    let parties = parties.withLock { $0 }
    let begin = WriteBegin(claim: claim, paths: items.map(\.item))
    for party in parties { _ = party.send(.accessBegan(begin)) }
    local.begin(begin.paths)
    return !parties.isEmpty || !PresenterRegistry.isEmpty
  }

  /// Tells everybody what happened and gives the items back; returns when all have queued it, or two
  /// seconds later.
  func finish(_ notices: [Notice]) {
    for case .moved(let old, let new) in notices {
      for peer in PresenterNetwork.peers(presenting: .toTell(ofMove: old, to: new)) {
        _ = party(of: peer.process)
      }
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
    for peer in PresenterNetwork.peers(presenting: query) { _ = party(of: peer.process) }
    finish([notice])
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
