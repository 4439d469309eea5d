import AccessClaims
import CoordinationRuntime
import FileWatching
import Foundation
import LinuxSystem
import PresenterLink

/// One access as the presenters of this process live through it, whoever makes it.
///
/// For an access from another process the link thread drives it; for one of our own, the thread that
/// makes it. Nothing here blocks.
final class PresenterSide: Sendable {
  private struct State {
    var sessions: [AskSession] = []
    var window: WindowID?
    var hasBegun = false
    var paths: [FilePath] = []
  }
  private let claim: ClaimID
  /// The coordinator's own presenter, which gets no messages.
  private let excluded: ObjectIdentifier?
  private let state = Mutex(State())

  /// Whether another process makes the access: then word of it may come after its first deeds.
  private let isRemote: Bool

  init(_ claim: ClaimID, excluding excluded: ObjectIdentifier? = nil, isRemote: Bool = false) {
    self.claim = claim
    self.isRemote = isRemote
    self.excluded = excluded
  }

  /// Whether the access concerns presenters here that it did not ask before.
  func hasSomebodyToAsk(_ message: AskMessage) -> Bool { !newPlans(message).isEmpty }

  /// Asks the presenters that the access concerns and that it did not ask before; returns at once.
  ///
  /// `answer` is called once, with the first refusal or nil; at once if nobody is asked.
  func ask(_ message: AskMessage, answer: @escaping @Sendable ((any Error)?) -> Void) {
    let session = AskSession(claim, newPlans(message), answer: answer)
    state.withLock { $0.sessions.append(session) }
    session.start()
  }

  /// The presenters who still owe an answer.
  var unanswered: [PresenterRecord] { state.withLock { $0.sessions }.flatMap(\.unanswered) }

  private func newPlans(
    _ message: AskMessage
  ) -> [(record: PresenterRecord, plan: AskSession.Plan)] {
    guard !PresenterRegistry.isEmpty else { return [] }
    let known = Set(state.withLock { $0.sessions.flatMap { $0.records.map(\.key) } })
    return AskPlanner.plans(for: message).filter { record, _ in
      record.key != excluded && !known.contains(record.key)
        && !record.wasAsked(byOneOf: message.onBehalfOf)
    }
  }

  /// The accessor is about to run: what happens to these items from now on is its doing.
  func begin(_ paths: [FilePath]) {
    let window = UncoordinatedChanges.openWindow(over: paths, isLate: isRemote)
    let sessions = state.withLock { state in
      state.window = window
      state.hasBegun = true
      state.paths = paths
      return state.sessions
    }
    for session in sessions { session.begin() }
  }

  /// The accessor returned: tells the presenters what happened, then gives them their items back.
  ///
  /// `done` is called when everything stands in the presenters' queues.
  func finish(_ notices: [Notice], done: @escaping @Sendable () -> Void) {
    closeWindow { [self] in
      if isRemote {
        NoticeDelivery.deliverLate(notices)
      } else {
        for notice in notices { NoticeDelivery.deliver(notice, excluding: excluded) }
      }
      endSessions()
      done()
    }
  }

  /// The access does not happen: whoever let go gets the item back.
  func abandon() {
    closeWindow { [self] in endSessions() }
  }

  /// The asker died.
  ///
  /// If its accessor had begun, everybody who was asked must look again, and all others are told what it
  /// did, as far as it came: it will not say so itself.
  func askerDied() {
    let (hasBegun, sessions) = state.withLock { ($0.hasBegun, $0.sessions) }
    closeWindow(isTold: false) { [self] in
      if hasBegun {
        for record in sessions.flatMap(\.records) {
          record.deliver { $0.presentedItemDidChange() }
        }
      }
      endSessions()
    }
  }

  private func endSessions() {
    for session in state.withLock({ $0.sessions }) { session.end() }
  }

  private func closeWindow(isTold: Bool = true, _ then: @escaping @Sendable () -> Void) {
    let window = state.withLock { state in
      defer { state.window = nil }
      return state.window
    }
    guard let window else { return then() }
    UncoordinatedChanges.closeWindow(window, isTold: isTold, then)
  }
}
