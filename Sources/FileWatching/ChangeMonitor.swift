import Dispatch
package import LinuxSystem

/// Reports what happens to files and trees, whoever does it.
///
/// One thread of its own per monitor, started by the first watch; nothing runs while nothing
/// happens. Handlers run on that thread, one at a time, and must not block: in particular they must
/// not wait for a lock that somebody holds while calling ``watch(_:scope:_:)``.
package final class ChangeMonitor: Sendable {
  private struct State {
    var engine: MonitorState?
    var thread: ThreadIdentity?
    var next: UInt64 = 1
    var listeners: [WatchToken: Listener] = [:]
    /// Why the thread could not be started.
    var failure: SystemError?
  }

  private let state = Mutex(State())
  private let choice: SourceChoice
  private let tuning: Tuning
  private let order = Precedence()

  package init(source: SourceChoice = .automatic, tuning: Tuning = Tuning()) {
    choice = source
    self.tuning = tuning
  }

  deinit {
    // In a forked child the thread and all it has are the parent's.
    guard ForkGeneration.current == generation else { return }
    state.withLock { $0.engine }?.post { $0.stop {} }
  }

  private let generation = ForkGeneration.current
  private static let common = PerProcess<ChangeMonitor?>(nil)

  /// The monitor of this process; another one after a fork without exec.
  package static var shared: ChangeMonitor {
    common.withLock { common in
      if let common { return common }
      let monitor = ChangeMonitor()
      common = monitor
      return monitor
    }
  }

  /// Runs on the monitor's thread each time it has read records and before it judges them.
  ///
  /// Whoever is told by other ways that a window opens takes what has come there: a window that was
  /// announced before a write is known before the write's records are judged. It may block, but never
  /// on a thread that waits for the monitor.
  package var precedence: (@Sendable () -> Void)? {
    get { order.body }
    set { order.body = newValue }
  }

  // MARK: watching

  /// Watches `path`, whether or not something is there now.
  ///
  /// Returns when everything that happens from now on is seen: for a tree that is after one walk
  /// through it. Called by a handler it returns at once and takes effect after the handler.
  ///
  /// The path is absolute; what is reported is spelled like it also when it goes through links. A
  /// link as its last component is the item itself, except for a tree, which is then its target.
  package func watch(
    _ path: FilePath,
    scope: WatchScope,
    _ handler: @escaping @Sendable (ChangeEvent) -> Void
  ) -> WatchToken {
    let listener = newListener(scope, handler)
    run { $0.attach(listener, at: path) }
    return listener.token
  }

  /// The same without waiting: `whenSeen` is called once the watch is in force, on the monitor's thread
  /// or, if that cannot be started, on the caller's.
  @discardableResult
  package func watch(
    _ path: FilePath,
    scope: WatchScope,
    whenSeen: @escaping @Sendable (WatchToken) -> Void,
    _ handler: @escaping @Sendable (ChangeEvent) -> Void
  ) -> WatchToken {
    let listener = newListener(scope, handler)
    let token = listener.token
    guard let engine = started() else {
      whenSeen(token)
      return token
    }
    engine.post {
      $0.attach(listener, at: path)
      whenSeen(token)
    }
    return token
  }

  private func newListener(
    _ scope: WatchScope,
    _ handler: @escaping @Sendable (ChangeEvent) -> Void
  ) -> Listener {
    state.withLock { state in
      let listener = Listener(WatchToken(number: state.next), scope, handler)
      state.next += 1
      state.listeners[listener.token] = listener
      return listener
    }
  }

  /// Ends a watch.
  ///
  /// No handler call begins after it returns; the kernel's watches are freed at once, by the
  /// monitor's thread.
  package func unwatch(_ token: WatchToken) {
    guard let listener = state.withLock({ $0.listeners.removeValue(forKey: token) }) else { return }
    listener.stop()
    post { $0.detach(token) }
  }

  /// Has a watch continue at `path`, where its item was moved under coordination.
  ///
  /// Reports nothing. Returns at once: it takes effect before anything that happens later is judged.
  package func retarget(_ token: WatchToken, to path: FilePath) {
    post { $0.retarget(token, to: path) }
  }

  /// Has `heard` called whenever an entry of a directory goes or comes by a rename, or the directory
  /// itself is moved, removed or unmounted; the directories above it do not count.
  ///
  /// Returns at once. `isInForce` is told as soon as it is, and when it is no longer: then whoever
  /// asked must look by itself. Both run on the monitor's thread and must not block.
  package func guardDirectory(
    _ directory: SharedDescriptor,
    isInForce: @escaping @Sendable (Bool) -> Void,
    heard: @escaping @Sendable () -> Void
  ) -> DirectoryGuard {
    let new = DirectoryGuard(directory, isInForce, heard)
    post { $0.post(new) }
    return new
  }

  package func dismiss(_ old: DirectoryGuard) { post { $0.dismiss(old) } }

  // MARK: coordinated writes

  /// Begins a coordinated write: what happens at or below `paths` is not reported until it closes.
  ///
  /// Effective when it returns. A stranger's change to one of the paths themselves that came before
  /// is still reported; a stranger's change inside the window cannot be told apart.
  /// The parents of the paths are resolved now.
  ///
  /// With `isLate` the write may have begun already, because another process announced it: then
  /// nothing that is there now can be called a stranger's.
  package func openWindow(over paths: [FilePath], isLate: Bool = false) -> WindowID {
    let (id, engine) = state.withLock { state in
      defer { state.next += 1 }
      return (WindowID(number: state.next), state.engine)
    }
    // Nothing is watched yet: whoever begins to later sees the disk as it is then.
    guard let engine else { return id }
    let canonical = paths.map { CanonicalPath.of($0, followingLink: false) }
    // A path that cannot be looked at counts as one where nothing was.
    let before = canonical.map { isLate ? nil : try? FileStatus(of: $0) }
    engine.open(.init(id: id, paths: canonical, before: before))
    return id
  }

  /// Ends a coordinated write: reads all the kernel has queued, takes what happened in the window as
  /// known, reports none of it, then runs `done` on the monitor's thread.
  ///
  /// With `isTold` false, nobody else will say what happened in it: all is reported, as a stranger's doing.
  ///
  /// `done` runs on the calling thread when nothing has ever been watched.
  package func closeWindow(
    _ window: WindowID,
    isTold: Bool = true,
    _ done: @escaping @Sendable () -> Void = {}
  ) {
    guard let engine = state.withLock({ $0.engine }) else { return done() }
    engine.post { $0.close(window, isTold: isTold, done) }
  }

  /// Runs `done` on the monitor's thread when all that happened before the call has been reported,
  /// saves that are still settling included: that takes ``Tuning/limit`` at most, or
  /// ``Tuning/whileOpen`` where a file is still open for writing.
  package func fence(_ done: @escaping @Sendable () -> Void) {
    guard let engine = state.withLock({ $0.engine }) else { return done() }
    engine.post { $0.fence(done) }
  }

  // MARK: how it is

  /// What is looked at now and then instead of being watched, and why.
  package var degraded: [DegradedTree] {
    let (engine, failure) = state.withLock { ($0.engine, $0.failure) }
    if let failure {
      return [
        DegradedTree(path: FilePath("/"), reason: "\(failure)", interval: .seconds(Int64.max))
      ]
    }
    return engine?.degradation.withLock { $0.trees } ?? []
  }

  /// Why the monitor's thread could not be started; nil while all is well.
  package var failure: String? { state.withLock { $0.failure }.map { "\($0)" } }

  /// How much is kept, as of the last time the thread went to sleep.
  package var statistics: MonitorStatistics {
    engineState?.degradation.withLock { $0.statistics } ?? MonitorStatistics()
  }

  /// Runs `body` on the monitor's thread before anything else; for tests that hold it up.
  package func onThread(_ body: @escaping @Sendable () -> Void) { post { _ in body() } }

  /// Has all but `limit` records of each read be lost, as in an overflow; nil: none.
  ///
  /// For tests.
  package func limitQueue(to limit: Int?) { started()?.limitQueue(to: limit) }

  /// Ends the thread and gives everything back; waits for it.
  ///
  /// For tests.
  package func stop() {
    let engine = state.withLock { state in
      defer {
        state.engine = nil
        state.thread = nil
        state.listeners = [:]
      }
      return state.engine
    }
    guard let engine else { return }
    let ended = DispatchSemaphore(value: 0)
    engine.post { $0.stop { ended.signal() } }
    ended.wait()
  }

  private var engineState: MonitorState? { state.withLock { $0.engine } }

  // MARK: the thread

  /// Posts a command and waits until it ran, unless the caller is the thread that runs it.
  private func run(_ command: @escaping MonitorState.Command) {
    guard state.withLock({ $0.thread }) != .current else { return post(command) }
    guard let engine = started() else { return }
    let done = DispatchSemaphore(value: 0)
    engine.post {
      command($0)
      done.signal()
    }
    done.wait()
  }

  private func post(_ command: @escaping MonitorState.Command) { started()?.post(command) }

  /// The engine, its thread running; nil when the system refuses a thread or a descriptor.
  private func started() -> MonitorState? {
    state.withLock { state in
      if let engine = state.engine { return engine }
      do {
        let engine = try MonitorState(precedence: order)
        let (choice, tuning) = (choice, tuning)
        try BlockingThread.start("file-watching") { [weak self] in
          let thread = ThreadIdentity.current
          self?.state.withLock { $0.thread = thread }
          Engine(engine, choice, tuning).run()
        }
        state.engine = engine
        state.failure = nil
        return engine
      } catch {
        // Told by `degraded`; the next call tries again.
        state.failure = error as? SystemError
        return nil
      }
    }
  }
}
