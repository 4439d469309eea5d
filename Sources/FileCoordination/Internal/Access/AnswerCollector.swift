import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// Waits for the answers of those who were asked, and knows when to stop waiting for one of them.
final class AnswerCollector: Sendable {
  private struct State {
    var pending: [RemoteParty] = []
    var isLocalPending = false
    var refusal: (any Error)?
  }

  /// How often the state of those who have not answered is looked at.
  static let patience = Duration.seconds(2)
  /// How long a presenter may take that failed to answer the last time.
  static let silentLimit = Duration.seconds(1)

  private let items: [AccessItem]
  private let waiter: CoordinationWaiter
  private let deadline: MonotonicInstant?
  private let started = MonotonicInstant.now
  private let local = Mutex<PresenterSide?>(nil)
  private let state = Mutex(State())

  init(_ items: [AccessItem], _ waiter: CoordinationWaiter, deadline: MonotonicInstant?) {
    self.items = items
    self.waiter = waiter
    self.deadline = deadline
  }

  func expectLocal(_ side: PresenterSide) {
    local.withLock { $0 = side }
    state.withLock { $0.isLocalPending = true }
  }

  func localAnswered(_ refusal: (any Error)?) {
    state.withLock { state in
      state.isLocalPending = false
      if state.refusal == nil { state.refusal = refusal }
    }
    waiter.wake()
  }

  func expect(_ party: RemoteParty) { state.withLock { $0.pending.append(party) } }

  /// Blocks until everybody answered, died or is stopped.
  ///
  /// - Throws: ``CoordinationError`` for a refusal, silence, cancelling or the time limit.
  func collect() throws(CoordinationError) {
    var nextLook = started + Self.patience
    while true {
      let (pending, isLocalPending, refusal) = state.withLock {
        ($0.pending, $0.isLocalPending, $0.refusal)
      }
      if let refusal { throw refused(refusal) }
      if pending.isEmpty && !isLocalPending { return }
      let now = MonotonicInstant.now
      if waiter.isCancelled { throw CoordinationError(.cancelled, items) }
      if let deadline, now >= deadline { throw outOfTime }
      if now >= nextLook {
        passOverStopped()
        nextLook = now + Self.patience
        continue
      }
      try checkSilence(at: now)
      let until = [deadline, nextLook, nextSilence].compactMap { $0 }.min()
      let readable = waiter.park(until: until, sockets: pending.map(\.socket))
      for party in pending where readable.contains(party.socket) { receive(from: party) }
    }
  }

  private func receive(from party: RemoteParty) {
    while true {
      switch party.receive() {
      case .nothing: return
      case .closed:
        // A process that is gone has answered: it holds nothing any more.
        return drop(party)
      case .message(.answered(let refusal), _):
        SilentPeers.answered(party.process)
        if let refusal {
          state.withLock { state in
            if state.refusal == nil { state.refusal = refusal.nsError }
          }
        }
        return drop(party)
      case .message: continue  // the word that it arrived
      }
    }
  }

  private func drop(_ party: RemoteParty) {
    state.withLock { $0.pending.removeAll { $0 === party } }
  }

  /// A stopped process cannot answer; it gets everything when it goes on.
  private func passOverStopped() {
    for party in state.withLock({ $0.pending }) where party.process.state != .running {
      CoordinationTrace.record(.passedOver, "\(party.process) is stopped or gone")
      drop(party)
    }
  }

  // MARK: Silence

  private func limit(isSilent: Bool) -> MonotonicInstant? {
    guard let limit = PresenterTimeLimit.current else { return nil }
    return started + (isSilent ? min(limit, Self.silentLimit) : limit)
  }

  private var localSilence: MonotonicInstant? {
    guard state.withLock({ $0.isLocalPending }), let side = local.withLock({ $0 }) else {
      return nil
    }
    return limit(isSilent: side.unanswered.contains(where: \.isSilent))
  }

  private func silence(of party: RemoteParty) -> MonotonicInstant? {
    limit(isSilent: SilentPeers.contains(party.process))
  }

  private var nextSilence: MonotonicInstant? {
    let parties = state.withLock { $0.pending }
    return (parties.map(silence) + [localSilence]).compactMap { $0 }.min()
  }

  private func checkSilence(at now: MonotonicInstant) throws(CoordinationError) {
    if let limit = localSilence, now >= limit, let side = local.withLock({ $0 }) {
      let records = side.unanswered
      for record in records { record.isSilent = true }
      let names = records.map(\.name).joined(separator: ", ")
      throw silent("\(names) in this process")
    }
    for party in state.withLock({ $0.pending }) {
      guard let limit = silence(of: party), now >= limit else { continue }
      SilentPeers.add(party.process)
      throw silent("process \(party.process)")
    }
  }

  // MARK: Errors

  private func silent(_ who: String) -> CoordinationError {
    CoordinationError(
      .presenterSilent,
      items,
      "\(who), which presents \(items.map(\.url.path).joined(separator: ", ")), did not answer "
        + "within the limit; nothing was accessed."
    )
  }

  private func refused(_ error: any Error) -> CoordinationError {
    CoordinationError(
      .presenterRefused,
      items,
      "A presenter could not get ready: \(error.localizedDescription)",
      cause: error
    )
  }

  private var outOfTime: CoordinationError {
    CoordinationError(
      .timedOut,
      items,
      "The presenters did not answer within the time limit of the access."
    )
  }
}

/// Processes that failed to answer within the limit and have not answered since.
enum SilentPeers {
  private static let peers = Mutex<Set<ProcessIdentity>>([])
  static func add(_ process: ProcessIdentity) { peers.withLock { _ = $0.insert(process) } }
  static func answered(_ process: ProcessIdentity) { peers.withLock { _ = $0.remove(process) } }
  static func contains(_ process: ProcessIdentity) -> Bool {
    peers.withLock { $0.contains(process) }
  }
}

/// How long a presenter may take to answer.
enum PresenterTimeLimit {
  private static let limit = Mutex<Duration?>(.seconds(30))
  static var current: Duration? {
    get { limit.withLock { $0 } }
    set { limit.withLock { $0 = newValue } }
  }
}
