import AccessClaims
import CoordinationRuntime
import Foundation
import LinuxSystem
import Synchronization

/// The part of a coordinator that any thread may touch.
final class CoordinatorCore: Sendable {
  private struct State {
    var purpose: Purpose?
    var isPurposeSettled = false
    var waiters: [CoordinationWaiter] = []
    var accesses: [CoordinatedAccess] = []
  }
  private let state: Mutex<State>
  private let cancelled = Atomic<Bool>(false)
  /// The presenter's record key; the presenter itself is held weakly.
  let presenterKey: ObjectIdentifier?
  private let presenter: WeakPresenter?
  /// How many moves its presenter had been told of when the coordinator was made.
  private let movesKnown: UInt64?

  init(_ presenter: (any NSFilePresenter)?) {
    presenterKey = presenter.map { ObjectIdentifier($0) }
    self.presenter = presenter.map(WeakPresenter.init)
    var first = State()
    var movesKnown: UInt64?
    if let presenter {
      first.purpose = PresenterPurposes.purpose(of: presenter)
      first.isPurposeSettled = true
      if let record = PresenterRegistry.record(of: presenter),
        OperationQueue.here === record.queue
      {
        movesKnown = record.movesDelivered
      }
    }
    self.movesKnown = movesKnown
    state = Mutex(first)
  }

  // MARK: Purpose

  /// What its claims are made for.
  var purpose: Purpose {
    state.withLock { state in
      if let purpose = state.purpose { return purpose }
      let purpose = PresenterPurposes.unique()
      state.purpose = purpose
      return purpose
    }
  }

  /// Sets the purpose once.
  func setPurpose(_ identifier: String) {
    precondition(!identifier.isEmpty, "a purposeIdentifier must not be empty")
    state.withLock { state in
      precondition(
        !state.isPurposeSettled,
        "a purposeIdentifier can be set once, on a coordinator that was made without a presenter"
      )
      state.isPurposeSettled = true
      state.purpose = Purpose(identifier: identifier, mayBeShared: true)
    }
  }

  // MARK: The coordinator's presenter

  /// The registration of its presenter, if it is registered now.
  var record: PresenterRecord? {
    presenter?.object.flatMap(PresenterRegistry.record)
  }

  /// Whether ``current(_:)`` may answer with another path.
  var mayTranslate: Bool { movesKnown != nil }

  /// `path` as its presenter's item is called after moves that the presenter has not heard of.
  func current(_ path: FilePath) -> FilePath {
    guard let movesKnown, let record else { return path }
    return record.current(path, knowing: movesKnown)
  }

  /// A coordinated access on behalf of its presenter ended: an item that had no URL may have one.
  func presenterMayHaveItem() {
    if let record { PresenterRegistry.settle(record) }
  }

  // MARK: Cancelling

  /// Whether ``cancel()`` was called.
  var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

  /// Ends the waits of this coordinator, now and for ever.
  func cancel() {
    cancelled.store(true, ordering: .sequentiallyConsistent)
    for waiter in state.withLock({ $0.waiters }) { waiter.cancel() }
  }

  /// A wait begins; false if the coordinator was cancelled before.
  func add(_ waiter: CoordinationWaiter) -> Bool {
    state.withLock { $0.waiters.append(waiter) }
    return !isCancelled
  }

  func remove(_ waiter: CoordinationWaiter) {
    state.withLock { state in
      if let index = state.waiters.lastIndex(where: { $0 === waiter }) {
        state.waiters.remove(at: index)
      }
    }
  }

  // MARK: Accesses whose accessor runs

  func add(_ access: CoordinatedAccess) { state.withLock { $0.accesses.append(access) } }
  func remove(_ access: CoordinatedAccess) {
    state.withLock { $0.accesses.removeAll { $0 === access } }
  }
  /// The innermost access whose accessor runs, best one that claims `path`.
  func access(writing path: FilePath) -> CoordinatedAccess? {
    state.withLock { state in
      state.accesses.last { $0.writes(path) } ?? state.accesses.last
    }
  }
}
