import CoordinationRuntime
import Foundation
import LinuxSystem
import PresenterLink

/// One claim's questions to presenters of this process, from the first message to the reacquirers.
///
/// All presenters are asked at once; each goes through relinquish, then save or accommodate. The
/// asker may sit in another process: it hears one answer, when everybody answered.
final class AskSession: Sendable {
  /// What one presenter is asked.
  struct Plan: Sendable {
    var relinquishesToWriter = false
    var saves = false
    var accommodatesDeletion = false
    /// Items inside the presented package that will be deleted.
    var subitems: [FilePath] = []
  }

  private enum Phase { case asked, relinquished, answered }
  private struct Party {
    let record: PresenterRecord
    var phase = Phase.asked
    var reacquirer: (@Sendable () -> Void)?
  }
  private struct State {
    var parties: [ObjectIdentifier: Party] = [:]
    var failure: (any Error)?
    var isEnded = false
    var answer: (@Sendable ((any Error)?) -> Void)?
  }

  /// Who asks.
  let claim: ClaimID
  private let state: Mutex<State>
  private let plans: [(record: PresenterRecord, plan: Plan)]

  /// A session of `claim`; `answer` is called once, from any thread, when everybody answered or one
  /// refused.
  init(
    _ claim: ClaimID,
    _ plans: [(record: PresenterRecord, plan: Plan)],
    answer: @escaping @Sendable ((any Error)?) -> Void
  ) {
    self.claim = claim
    self.plans = plans
    var first = State(answer: answer)
    for (record, _) in plans { first.parties[record.key] = Party(record: record) }
    state = Mutex(first)
  }

  /// The presenters that were asked.
  var records: [PresenterRecord] { plans.map(\.record) }

  /// Those who did not answer yet.
  var unanswered: [PresenterRecord] {
    state.withLock { $0.parties.values.filter { $0.phase != .answered }.map(\.record) }
  }

  /// Asks everybody; returns at once.
  func start() {
    guard !plans.isEmpty else { return report() }
    for (record, plan) in plans {
      record.add(self)
      record.setDebt(.relinquish(since: .now), to: claim)
      record.deliver(
        { [self] presenter in
          let once = OnceFlag()
          let answer: @Sendable ((@Sendable () -> Void)?) -> Void = { [self] reacquirer in
            guard once.claim() else { return }
            relinquished(record, plan, reacquirer)
          }
          if plan.relinquishesToWriter {
            presenter.relinquishPresentedItem(toWriter: answer)
          } else {
            presenter.relinquishPresentedItem(toReader: answer)
          }
        },
        otherwise: { [self] in answered(record, nil) }
      )
    }
  }

  private func relinquished(
    _ record: PresenterRecord,
    _ plan: Plan,
    _ reacquirer: (@Sendable () -> Void)?
  ) {
    let isLate = state.withLock { state in
      guard !state.isEnded else { return true }
      state.parties[record.key]?.phase = .relinquished
      state.parties[record.key]?.reacquirer = reacquirer
      return false
    }
    if isLate {
      record.setDebt(nil, to: claim)
      if let reacquirer { record.runLateReacquirer(reacquirer) }
      return
    }
    guard plan.saves || plan.accommodatesDeletion || !plan.subitems.isEmpty else {
      return answered(record, nil)
    }
    record.setDebt(.saveOrAccommodate, to: claim)
    go(through: steps(of: plan, for: record)[...], record)
  }

  private typealias Step =
    @Sendable (
      any NSFilePresenter, @escaping @Sendable ((any Error)?) -> Void
    ) -> Void

  private func steps(of plan: Plan, for record: PresenterRecord) -> [Step] {
    var steps: [Step] = []
    if plan.saves { steps.append { $0.savePresentedItemChanges(completionHandler: $1) } }
    if plan.accommodatesDeletion {
      steps.append { $0.accommodatePresentedItemDeletion(completionHandler: $1) }
    }
    for item in plan.subitems {
      let url = (record.place?.spelling(of: item) ?? item).urlOnDisk
      steps.append { $0.accommodatePresentedSubitemDeletion(at: url, completionHandler: $1) }
    }
    return steps
  }

  private func go(through steps: ArraySlice<Step>, _ record: PresenterRecord) {
    guard let step = steps.first else { return answered(record, nil) }
    record.deliver(
      { [self] presenter in
        let once = OnceFlag()
        step(presenter) { [self] error in
          guard once.claim() else { return }
          if let error { return answered(record, error) }
          go(through: steps.dropFirst(), record)
        }
      },
      otherwise: { [self] in answered(record, nil) }
    )
  }

  private func answered(_ record: PresenterRecord, _ error: (any Error)?) {
    record.isSilent = false
    record.setDebt(nil, to: claim)
    let isLast = state.withLock { state in
      state.parties[record.key]?.phase = .answered
      if state.failure == nil { state.failure = error }
      return state.failure != nil || state.parties.values.allSatisfy { $0.phase == .answered }
    }
    if isLast { report() }
  }

  private func report() {
    let (answer, failure) = state.withLock { state in
      defer { state.answer = nil }
      return (state.answer, state.failure)
    }
    answer?(failure)
  }

  /// A presenter was removed: nothing more is expected of it, and it gets nothing back.
  func forget(_ record: PresenterRecord) {
    state.withLock { $0.parties[record.key]?.reacquirer = nil }
    answered(record, nil)
  }

  /// Ends the session: whoever let go gets the item back, on its queue.
  ///
  /// Presenters that answer later get it back at once.
  func end() {
    let reacquirers = state.withLock { state in
      guard !state.isEnded else { return [(PresenterRecord, @Sendable () -> Void)]() }
      state.isEnded = true
      state.answer = nil
      return state.parties.values.compactMap { party in
        party.reacquirer.map { (party.record, $0) }
      }
    }
    for (record, _) in plans {
      // One that still owes its answer keeps the debt until it gives it: it is busy with us.
      if !unanswered.contains(where: { $0 === record }) { record.setDebt(nil, to: claim) }
      record.remove(self)
    }
    for (record, reacquirer) in reacquirers { record.runReacquirer(reacquirer) }
  }
}
