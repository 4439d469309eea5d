import AccessClaims
import CoordinationRuntime
import FileWatching
import Foundation
import LinuxSystem
import PresenterLink
import struct Synchronization.Atomic

/// The presenters of this process, held weakly, found by path.
enum PresenterRegistry {
  private struct State {
    var records: [ObjectIdentifier: PresenterRecord] = [:]
    var byPath: [FilePath: [PresenterRecord]] = [:]
    var paths: [ObjectIdentifier: FilePath] = [:]
  }
  private static let state = Mutex(State())
  /// How many there are: read without the lock by claims, which mostly find none.
  private static let count = Atomic<Int>(0)

  /// Whether no presenter is registered here; no lock.
  static var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  static var presenters: [any NSFilePresenter] {
    state.withLock { $0.records.values.map(\.self) }.compactMap(\.presenter)
  }

  static var all: [PresenterRecord] { state.withLock { Array($0.records.values) } }

  static func record(of presenter: any NSFilePresenter) -> PresenterRecord? {
    state.withLock { $0.records[ObjectIdentifier(presenter)] }
  }

  // MARK: Adding and removing

  /// Registers a presenter; once more if it is registered already.
  ///
  /// Found by the claims of every process when this returns. With `whenWatched` what programs do that
  /// do not coordinate is heard of from the moment on that it is called, on any thread.
  static func add(
    _ presenter: any NSFilePresenter,
    whenWatched: (@Sendable () -> Void)? = nil
  ) {
    let key = ObjectIdentifier(presenter)
    let fresh = PresenterRecord(presenter, purpose: PresenterPurposes.purpose(of: presenter))
    let (isNew, stale) = state.withLock { state in
      if let known = state.records[key] {
        if known.presenter === presenter {
          known.addRegistration()
          return (false, PresenterRecord?.none)
        }
        // Its presenter died registered, and a new one got its address.
        state.records[key] = fresh
        return (true, known)
      }
      state.records[key] = fresh
      count.add(1, ordering: .acquiringAndReleasing)
      return (true, nil)
    }
    if let stale { tearDown(stale, stale.removeRegistration(all: true)) }
    if isNew { settle(fresh, whenWatched) }
  }

  /// Takes one registration back.
  ///
  /// A presenter that was never added is ignored.
  static func remove(_ presenter: any NSFilePresenter) {
    let key = ObjectIdentifier(presenter)
    let (record, teardown) = state.withLock {
      state -> (PresenterRecord?, PresenterRecord.Teardown?) in
      guard let record = state.records[key], let teardown = record.removeRegistration() else {
        return (nil, nil)
      }
      state.records[key] = nil
      count.subtract(1, ordering: .acquiringAndReleasing)
      return (record, teardown)
    }
    if let record { tearDown(record, teardown) }
  }

  /// Finds out where the presented item is and makes it known; again if the URL was nil before.
  static func settle(_ record: PresenterRecord, _ whenWatched: (@Sendable () -> Void)? = nil) {
    guard record.place == nil, let url = record.presenter?.presentedItemURL else { return }
    guard let spelled = FilePath(url) else {
      Diagnostics.report("\(record.name) presents \(url), which is not a file URL: nobody finds it")
      return
    }
    do {
      let identity = try ItemResolver.shared.resolve(spelled, followingLink: false)
      let place = PresenterPlace(spelled: spelled, identity: identity)
      let presence = try PresenterNetwork.link().present(place.canonical)
      index(record, at: place.canonical)
      // Called by whoever comes second: the record that is told of changes, or the monitor.
      let meeting = Meeting()
      let ready = whenWatched.map { whenWatched in
        { @Sendable in if meeting.isSecond { whenWatched() } }
      }
      let watch = UncoordinatedChanges.watch(record, place, whenSeen: ready)
      let isThere = record.settle(place, presence: presence, watch: watch)
      ready?()
      if !isThere {
        // Removed in this moment, by somebody who did not know of these yet.
        tearDown(
          record,
          PresenterRecord.Teardown(presence: presence, watch: watch, sessions: [])
        )
      }
    } catch {
      Diagnostics.report(
        "\(record.name) presents \(spelled), but other processes will not know: \(error)"
      )
    }
  }

  private static func tearDown(
    _ record: PresenterRecord,
    _ teardown: PresenterRecord.Teardown?
  ) {
    unindex(record)
    guard let teardown else { return }
    if let watch = teardown.watch { UncoordinatedChanges.unwatch(watch) }
    if let presence = teardown.presence { PresenterNetwork.withdraw(presence) }
    for session in teardown.sessions { session.forget(record) }
  }

  // MARK: Moving

  /// The presented item moved: from now on it is found, watched and spelled at its new place.
  @discardableResult
  static func reanchor(_ record: PresenterRecord, to canonical: FilePath) -> PresenterPlace? {
    guard let (place, presence, watch) = record.move(to: canonical) else { return nil }
    unindex(record)
    index(record, at: canonical)
    if let presence { PresenterNetwork.move(presence, to: canonical) }
    if let watch { UncoordinatedChanges.retarget(watch, to: canonical) }
    return place
  }

  private static func index(_ record: PresenterRecord, at path: FilePath) {
    state.withLock { state in
      state.byPath[path, default: []].append(record)
      state.paths[record.key] = path
    }
  }

  private static func unindex(_ record: PresenterRecord) {
    state.withLock { state in
      guard let path = state.paths.removeValue(forKey: record.key) else { return }
      state.byPath[path]?.removeAll { $0 === record }
      if state.byPath[path]?.isEmpty == true { state.byPath[path] = nil }
    }
  }

  // MARK: Finding

  /// The presenters of exactly this item.
  static func presenters(of item: FilePath) -> [PresenterRecord] {
    guard !isEmpty else { return [] }
    return state.withLock { $0.byPath[item] ?? [] }
  }

  /// The presenters of anything inside this directory, at any depth.
  static func presenters(inside directory: FilePath) -> [PresenterRecord] {
    guard !isEmpty else { return [] }
    return state.withLock { state in
      state.byPath.filter { $0.key.isInside(directory) }.flatMap(\.value)
    }
  }

  /// The presenters of the directories that hold this item, at any height.
  static func presenters(holding item: FilePath) -> [PresenterRecord] {
    guard !isEmpty else { return [] }
    return state.withLock { state in
      item.ancestors.flatMap { state.byPath[$0] ?? [] }
    }
  }
}

/// Two that come, in either order; the second one knows that it is.
private final class Meeting: Sendable {
  private let hasFirst = Atomic<Bool>(false)
  var isSecond: Bool { hasFirst.exchange(true, ordering: .acquiringAndReleasing) }
}
