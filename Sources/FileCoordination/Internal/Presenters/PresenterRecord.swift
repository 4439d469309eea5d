import AccessClaims
import CoordinationRuntime
import FileWatching
import Foundation
import LinuxSystem
import PresenterLink

/// What the process knows of one registered presenter, which it holds weakly.
///
/// Lock order: a record's lock is innermost; nothing is called while it is held.
final class PresenterRecord: Sendable {
  /// How far a presenter is in answering one claim.
  enum Debt: Sendable {
    /// It was asked to let go; since when.
    case relinquish(since: MonotonicInstant)
    /// It was asked to save or to make room: its own writing must get through.
    case saveOrAccommodate
  }

  fileprivate struct State {
    var registrations = 1
    var isRemoved = false
    var place: PresenterPlace?
    var presence: PresenceID?
    var watch: WatchToken?
    var debts: [ClaimID: Debt] = [:]
    /// Accesses that it answered and that have neither begun nor ended.
    var answered: Set<ClaimID> = []
    var heldBack: [HeldBack] = []
    var waiters: [CoordinationWaiter] = []
    var sessions: [AskSession] = []
    var moves: [Move] = []
    var movesMade: UInt64 = 0
    var movesDelivered: UInt64 = 0
    var isSilent = false
  }
  /// A reacquirer that must wait: the presenter has promised the item to somebody else meanwhile.
  fileprivate struct HeldBack {
    let claim: ClaimID
    /// Its access ended before the presenter answered it.
    let isLate: Bool
    let run: @Sendable () -> Void
  }
  fileprivate struct Move {
    let number: UInt64
    let old: FilePath
    let new: FilePath
  }

  /// Which presenter, for as long as it lives.
  let key: ObjectIdentifier
  /// Its queue, read once when it was added.
  let queue: OperationQueue
  /// What coordinators made with it claim for.
  let purpose: Purpose
  /// The ubiquity attributes it wants to hear of, read once.
  let observedAttributes: Set<URLResourceKey>
  private let reference: WeakPresenter
  private let state: Mutex<State>

  init(_ presenter: any NSFilePresenter, purpose: Purpose) {
    key = ObjectIdentifier(presenter)
    queue = presenter.presentedItemOperationQueue
    observedAttributes = presenter.observedPresentedItemUbiquityAttributes
    self.purpose = purpose
    reference = WeakPresenter(presenter)
    state = Mutex(State())
  }

  /// The presenter, unless it is gone.
  var presenter: (any NSFilePresenter)? { reference.object }
  var place: PresenterPlace? { state.withLock { $0.isRemoved ? nil : $0.place } }
  var isRemoved: Bool { state.withLock { $0.isRemoved } }

  /// For error messages.
  var name: String { presenter.map { "\(type(of: $0))" } ?? "a presenter" }

  // MARK: Registration

  func addRegistration() { state.withLock { $0.registrations += 1 } }

  /// What must be undone outside when the last registration ended.
  struct Teardown {
    let presence: PresenceID?
    let watch: WatchToken?
    let sessions: [AskSession]
  }

  /// Takes one registration back; at the last one, what to undo.
  ///
  /// From now on no message starts.
  func removeRegistration(all: Bool = false) -> Teardown? {
    state.withLock { state in
      state.registrations = all ? 0 : state.registrations - 1
      guard state.registrations <= 0, !state.isRemoved else { return nil }
      state.isRemoved = true
      state.debts = [:]
      state.answered = []
      state.heldBack = []
      return Teardown(presence: state.presence, watch: state.watch, sessions: state.sessions)
    }
  }

  /// Sets where the item is, and by what it is found and watched; false if it was removed meanwhile.
  func settle(_ place: PresenterPlace, presence: PresenceID?, watch: WatchToken?) -> Bool {
    state.withLock { state in
      guard !state.isRemoved else { return false }
      state.place = place
      state.presence = presence
      state.watch = watch
      return true
    }
  }

  // MARK: Messages

  /// Sends the presenter a message on its queue, unless it was removed or is gone by then.
  ///
  /// In that case `otherwise` runs, there too. News are messages that nobody waits for.
  func deliver(
    isNews: Bool = false,
    _ message: @escaping @Sendable (any NSFilePresenter) -> Void,
    otherwise: @escaping @Sendable () -> Void = {}
  ) {
    QueueDelivery.deliver(to: queue, for: key, isNews: isNews) { [self] in
      guard !isRemoved, let presenter else { return otherwise() }
      message(presenter)
    }
  }

  // MARK: Moves

  /// Notes that the item moved; the presenter is told by ``deliverMove(to:)``.
  func move(to canonical: FilePath) -> (
    place: PresenterPlace, presence: PresenceID?, watch: WatchToken?
  )? {
    let kept = place
    guard let moved = kept?.moved(to: canonical) else { return nil }
    return state.withLock { state in
      guard !state.isRemoved, let old = state.place, old == kept else { return nil }
      state.place = moved
      state.movesMade += 1
      state.moves.append(Move(number: state.movesMade, old: old.spelled, new: moved.spelled))
      if state.moves.count > 16 { state.moves.removeFirst() }
      return (moved, state.presence, state.watch)
    }
  }

  /// Tells the presenter of its newest place.
  func deliverMove(to place: PresenterPlace) {
    let number = state.withLock { $0.movesMade }
    let url = place.spelled.url(isDirectory: place.isDirectory)
    deliver { [self] presenter in
      // From here on the presenter knows: coordinators made later use the new URL themselves.
      state.withLock { $0.movesDelivered = max($0.movesDelivered, number) }
      presenter.presentedItemDidMove(to: url)
    }
  }

  /// How many moves the presenter was told of.
  var movesDelivered: UInt64 { state.withLock { $0.movesDelivered } }

  /// `path` as it is after the moves that were not delivered when `known` was read.
  func current(_ path: FilePath, knowing known: UInt64) -> FilePath {
    state.withLock { state in
      state.moves.filter { $0.number > known }.reduce(path) { path, move in
        path.rebased(from: move.old, to: move.new) ?? path
      }
    }
  }

  // MARK: Debts

  /// Says that the presenter owes `claim` an answer; nil: not any more.
  func setDebt(_ debt: Debt?, to claim: ClaimID) {
    let (waiters, released) = state.withLock { state in
      state.debts[claim] = debt
      return (state.waiters, state.takeReleased())
    }
    for waiter in waiters { waiter.wake() }
    for reacquirer in released { runReacquirer(reacquirer) }
  }

  /// How long a bare request to let go holds up the presenter's own claims.
  static let relinquishPatience = Duration.milliseconds(250)

  /// The claims past whose gates the presenter's own claims may go now.
  ///
  /// With `onItsQueue` the claim's thread runs on the presenter's queue, so that nothing sent there can
  /// be answered before the claim is through.
  func passes(onItsQueue: Bool) -> Set<ClaimID> {
    let now = MonotonicInstant.now
    return state.withLock { state in
      Set(
        state.debts.compactMap { claim, debt in
          switch debt {
          case .saveOrAccommodate: claim
          case .relinquish(let since):
            onItsQueue || now >= since + Self.relinquishPatience ? claim : nil
          }
        }
      )
    }
  }

  /// When ``passes(onItsQueue:)`` may next say more though nobody wakes the waiter.
  var nextReview: MonotonicInstant? {
    let now = MonotonicInstant.now
    return state.withLock { state in
      state.debts.values.compactMap { debt in
        guard case .relinquish(let since) = debt else { return nil }
        let moment = since + Self.relinquishPatience
        return moment > now ? moment : nil
      }.min()
    }
  }

  /// The claims that the presenter owes an answer of any kind.
  var creditors: [ClaimID] { state.withLock { Array($0.debts.keys) } }

  func add(_ waiter: CoordinationWaiter) { state.withLock { $0.waiters.append(waiter) } }
  func remove(_ waiter: CoordinationWaiter) {
    state.withLock { $0.waiters.removeAll { $0 === waiter } }
  }

  // MARK: Sessions

  func add(_ session: AskSession) { state.withLock { $0.sessions.append(session) } }
  func remove(_ session: AskSession) {
    state.withLock { $0.sessions.removeAll { $0 === session } }
  }

  /// Whether it was asked by one of these claims already and has not got its item back.
  func wasAsked(byOneOf claims: [ClaimID]) -> Bool {
    !claims.isEmpty && state.withLock { $0.sessions.contains { claims.contains($0.claim) } }
  }

  // MARK: Giving back

  /// The presenter let go for this access: until it begins or ends, the item is promised to it.
  func noteAnswered(_ claim: ClaimID) { state.withLock { _ = $0.answered.insert(claim) } }

  /// The access began or ended.
  func notePromiseKept(_ claim: ClaimID) {
    let released = state.withLock { state in
      state.answered.remove(claim)
      return state.takeReleased()
    }
    for reacquirer in released { runReacquirer(reacquirer) }
  }

  /// Gives the item back, on the presenter's queue.
  ///
  /// Not while another access that it answered has neither begun nor ended (models ask-read-late and
  /// ask-read-pass): it would take the item for its own again just before that one begins. If the
  /// access ended before the presenter answered it, not while it is answering anybody else, either.
  func giveBack(
    after claim: ClaimID,
    isLate: Bool = false,
    _ reacquirer: @escaping @Sendable () -> Void
  ) {
    let released = state.withLock { state in
      guard !state.isRemoved else { return [@Sendable () -> Void]() }
      state.heldBack.append(HeldBack(claim: claim, isLate: isLate, run: reacquirer))
      return state.takeReleased()
    }
    for reacquirer in released { runReacquirer(reacquirer) }
  }

  private func runReacquirer(_ reacquirer: @escaping @Sendable () -> Void) {
    deliver { _ in reacquirer() }
  }

  // MARK: Silence

  /// Whether it failed to answer within the limit, and has not answered since.
  var isSilent: Bool {
    get { state.withLock { $0.isSilent } }
    set { state.withLock { $0.isSilent = newValue } }
  }
}

extension PresenterRecord.State {
  /// Takes the reacquirers that nothing holds back any more, in their order.
  fileprivate mutating func takeReleased() -> [@Sendable () -> Void] {
    var released: [@Sendable () -> Void] = []
    heldBack.removeAll { held in
      let isPromised = answered.contains { $0 != held.claim }
      guard !isPromised, !held.isLate || debts.isEmpty else { return false }
      released.append(held.run)
      return true
    }
    return released
  }
}
