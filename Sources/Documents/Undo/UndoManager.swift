public import Foundation
import LinuxSystem

/// Remembers how to take changes back, in groups that a user takes for one step.
///
/// Nothing here blocks. It may be used from any thread; one user's actions should come from one,
/// because a group holds what was registered while it was open, by whomever. Handlers and
/// notifications run on the thread whose call led to them; the end of an event is told on the main
/// thread (see ``MainLoopHook``). Nothing survives the process.
///
/// Wrong use (an end without a begin, undoing inside of an undo handler) stops the program with a
/// sentence that says what was wrong.
///
/// Apple symbol: UndoManager.
// @unchecked because it is open to subclasses; what it knows is behind its locks.
open class UndoManager: NSObject, @unchecked Sendable {
  private let state = Mutex(UndoState())
  private let modes = Mutex<[RunLoop.Mode]>([.default])

  /// A manager with nothing to undo, which groups by event.
  public override init() { super.init() }

  // MARK: grouping

  /// How many groups are open: 0 when none is.
  ///
  /// Inside an undo handler the group that collects the inverse counts.
  ///
  /// Apple symbol: UndoManager.groupingLevel.
  open var groupingLevel: Int { state.withLock { $0.groupingLevel } }

  /// Whether the first registration of an event opens a group that ends with the event; true at first.
  ///
  /// Apple symbol: UndoManager.groupsByEvent.
  open var groupsByEvent: Bool {
    get { state.withLock { $0.groupsByEvent } }
    set { state.withLock { $0.groupsByEvent = newValue } }
  }

  /// The modes of the main run loop in which an event can end; `.default` at first.
  ///
  /// Programs whose main thread serves the main queue need nothing here. Read when an event's group is opened on the main thread.
  ///
  /// Apple symbol: UndoManager.runLoopModes.
  open var runLoopModes: [RunLoop.Mode] {
    get { modes.withLock { $0 } }
    set { modes.withLock { $0 = newValue } }
  }

  /// Opens a group; at level 0, where groups follow events, the group of this event first.
  ///
  /// Apple symbol: UndoManager.beginUndoGrouping().
  open func beginUndoGrouping() {
    if state.withLock({ $0.openEventGroup() }) { didOpenEventGroup() }
    let isCollecting = isUndoing || isRedoing
    if !isCollecting { post(.NSUndoManagerCheckpoint) }
    state.withLock { $0.begin() }
    if !isCollecting { post(.NSUndoManagerDidOpenUndoGroup) }
  }

  /// Closes the group that was opened last.
  ///
  /// An outermost group goes onto the undo stack, unless it is empty; another one becomes part of
  /// the group around it.
  ///
  /// - Precondition: A group is open.
  ///
  /// Apple symbol: UndoManager.endUndoGrouping().
  open func endUndoGrouping() {
    let (isOpen, isForgiven) = state.withLock { state in
      state.canEnd ? (true, false) : (false, state.takeForgivenEnd())
    }
    if isForgiven { return }
    precondition(
      isOpen,
      "endUndoGrouping() without a matching beginUndoGrouping(): no undo group is open"
    )
    end()
  }

  private func end() {
    let isCollecting = isUndoing || isRedoing
    if !isCollecting {
      post(.NSUndoManagerCheckpoint)
      // An observer may have closed it, or registered what it had not yet.
      guard let notice = state.withLock({ $0.canEnd ? $0.closingNotice : nil }) else { return }
      post(.NSUndoManagerWillCloseUndoGroup, notice)
    }
    guard let closing = state.withLock({ $0.canEnd ? $0.end() : nil }) else { return }
    if !isCollecting { post(.NSUndoManagerDidCloseUndoGroup, closing.notice) }
    if closing.leavesOverdueEvent { UndoEvents.shared.add(self, modes: nil) }
  }

  // MARK: registration

  /// Whether registrations are recorded.
  ///
  /// Apple symbol: UndoManager.isUndoRegistrationEnabled.
  open var isUndoRegistrationEnabled: Bool { state.withLock { $0.isRegistrationEnabled } }

  /// Ignores registrations until as many calls of ``enableUndoRegistration()``.
  ///
  /// Apple symbol: UndoManager.disableUndoRegistration().
  open func disableUndoRegistration() { state.withLock { $0.disable() } }

  /// Takes one ``disableUndoRegistration()`` back.
  ///
  /// - Precondition: There was one.
  ///
  /// Apple symbol: UndoManager.enableUndoRegistration().
  open func enableUndoRegistration() {
    let wasDisabled = state.withLock { $0.enable() }
    precondition(
      wasDisabled,
      "enableUndoRegistration() without a matching disableUndoRegistration()"
    )
  }

  /// Remembers what to do when this change is undone.
  ///
  /// The target is held weakly, and the action skipped when it is gone; what else the handler
  /// captures is held. Registered inside an undo handler, it becomes what is redone.
  ///
  /// - Precondition: A group is open, or ``groupsByEvent`` is true.
  ///
  /// Apple symbol: UndoManager.registerUndo(withTarget:handler:).
  open func registerUndo<TargetType: AnyObject>(
    withTarget target: TargetType,
    handler: @escaping (TargetType) -> Void
  ) {
    let action = UndoAction(target: target, handler: handler)
    // Bound to a name: released after the lock.
    let (registration, garbage) = state.withLock { $0.record(action) }
    precondition(
      registration != .noGroup,
      "registerUndo(withTarget:handler:) outside of a group: call beginUndoGrouping() first, or "
        + "set groupsByEvent to true"
    )
    if registration == .openedEventGroup { didOpenEventGroup() }
    withExtendedLifetime(garbage) {}
  }

  private func didOpenEventGroup() {
    post(.NSUndoManagerDidOpenUndoGroup)
    UndoEvents.shared.add(self, modes: runLoopModes)
  }

  // MARK: levels

  /// How many groups can be undone before the oldest is dropped; 0, the first value, for all.
  ///
  /// Apple symbol: UndoManager.levelsOfUndo.
  open var levelsOfUndo: Int {
    get { state.withLock { $0.levelsOfUndo } }
    set {
      let garbage = state.withLock { $0.setLevelsOfUndo(max(newValue, 0)) }
      withExtendedLifetime(garbage) {}
    }
  }

  /// How many times ``undo()`` would undo something.
  ///
  /// Apple symbol: UndoManager.undoCount.
  open var undoCount: Int { state.withLock { $0.undoCount } }

  /// How many times ``redo()`` would redo something.
  ///
  /// Apple symbol: UndoManager.redoCount.
  open var redoCount: Int { state.withLock { $0.redoStack.count } }

  /// Whether there is something to undo, also in a group that is still open.
  ///
  /// Apple symbol: UndoManager.canUndo.
  open var canUndo: Bool { state.withLock { $0.nextUndo != nil } }

  /// Whether there is something to redo; tells observers first that this is a checkpoint.
  ///
  /// Apple symbol: UndoManager.canRedo.
  open var canRedo: Bool {
    post(.NSUndoManagerCheckpoint)
    return state.withLock { $0.nextRedo != nil }
  }

  /// Whether the undo handlers of a group are running.
  ///
  /// Apple symbol: UndoManager.isUndoing.
  open var isUndoing: Bool { state.withLock { $0.mode == .undoing } }

  /// Whether the redo handlers of a group are running.
  ///
  /// Apple symbol: UndoManager.isRedoing.
  open var isRedoing: Bool { state.withLock { $0.mode == .redoing } }

  // MARK: undoing

  /// Undoes the newest group, closing the open one first.
  ///
  /// Runs the group's handlers, newest first, before it returns. Nothing happens where there is
  /// nothing to undo.
  ///
  /// - Precondition: At most one group is open, and no handler is running.
  ///
  /// Apple symbol: UndoManager.undo().
  open func undo() {
    refuseInsideHandlers("undo()")
    if groupingLevel == 1 { end() }
    post(.NSUndoManagerCheckpoint)
    // An observer that commits what was pending has opened the group of this event again.
    if groupingLevel == 1 { end() }
    precondition(
      groupingLevel == 0,
      "undo() with \(groupingLevel) undo groups open: close the nested groups first, "
        + "or call undoNestedGroup()"
    )
    undoLastGroup()
  }

  /// Undoes the group that was closed last, also inside of an open one; closes none.
  ///
  /// - Precondition: Nothing was registered in the open group since, and no handler is running.
  ///
  /// Apple symbol: UndoManager.undoNestedGroup().
  open func undoNestedGroup() {
    refuseInsideHandlers("undoNestedGroup()")
    post(.NSUndoManagerCheckpoint)
    undoLastGroup()
  }

  private func undoLastGroup() {
    precondition(
      !state.withLock { $0.hasLooseActions },
      "undoNestedGroup() with actions registered outside of a closed group: close it first"
    )
    guard let notice = state.withLock({ $0.beginUndo() }) else { return }
    perform(notice, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange)
  }

  /// Redoes what was undone last.
  ///
  /// Runs the group's handlers, newest first, before it returns. Nothing happens where there is
  /// nothing to redo.
  ///
  /// - Precondition: No handler is running.
  ///
  /// Apple symbol: UndoManager.redo().
  open func redo() {
    refuseInsideHandlers("redo()")
    post(.NSUndoManagerCheckpoint)
    guard let notice = state.withLock({ $0.beginRedo() }) else { return }
    perform(notice, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange)
  }

  private func perform(
    _ notice: UndoNotice,
    _ before: Notification.Name,
    _ after: Notification.Name
  ) {
    post(before, notice)
    while let action = state.withLock({ $0.nextAction() }) { action.perform() }
    let garbage = state.withLock { $0.finish() }
    withExtendedLifetime(garbage) {}
    post(after, notice)
  }

  private func refuseInsideHandlers(_ call: StaticString) {
    let mode = state.withLock { $0.mode }
    precondition(
      mode == .normal,
      "\(call) while \(mode == .undoing ? "undoing" : "redoing"): a handler may register what it "
        + "changes, but not undo or redo"
    )
  }

  // MARK: names and what else belongs to a group

  /// Whether the group that would be undone can be lost without loss.
  ///
  /// Apple symbol: UndoManager.undoActionIsDiscardable.
  open var undoActionIsDiscardable: Bool { withState { $0.nextUndo?.isDiscardable ?? false } }

  /// Whether the group that would be redone can be lost without loss.
  ///
  /// Apple symbol: UndoManager.redoActionIsDiscardable.
  open var redoActionIsDiscardable: Bool { withState { $0.nextRedo?.isDiscardable ?? false } }

  /// Says of the action registered last whether it can be lost without loss.
  ///
  /// Apple symbol: UndoManager.setActionIsDiscardable(_:).
  open func setActionIsDiscardable(_ discardable: Bool) {
    withState { state in state.changeGroup { $0.setLastIsDiscardable(discardable) } }
  }

  /// What the user calls the group that would be undone; "" for nothing.
  ///
  /// Apple symbol: UndoManager.undoActionName.
  open var undoActionName: String { withState { $0.nextUndo?.name ?? "" } }

  /// What the user calls the group that would be redone; "" for nothing.
  ///
  /// Apple symbol: UndoManager.redoActionName.
  open var redoActionName: String { withState { $0.nextRedo?.name ?? "" } }

  /// Names the open group, or else the newest one; "" takes the name away.
  ///
  /// The name stays with what undoes and redoes the group.
  ///
  /// Apple symbol: UndoManager.setActionName(_:).
  open func setActionName(_ actionName: String) {
    withState { state in state.changeGroup { $0.name = actionName } }
  }

  /// Attaches a value to the open group, or else to the newest one; nil takes it away.
  ///
  /// Apple symbol: UndoManager.setActionUserInfoValue(_:forKey:).
  open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
    let value = info.map(CarriedValue.init)
    let old = withState { state in
      var old: CarriedValue?
      state.changeGroup { group in
        old = group.userInfo[key]
        group.userInfo[key] = value
      }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// What was attached to the group that would be undone.
  ///
  /// Apple symbol: UndoManager.undoActionUserInfoValue(forKey:).
  open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    withState { $0.nextUndo?.userInfo[key] }?.value
  }

  /// What was attached to the group that would be redone.
  ///
  /// Apple symbol: UndoManager.redoActionUserInfoValue(forKey:).
  open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? {
    withState { $0.nextRedo?.userInfo[key] }?.value
  }

  /// What a menu says for undoing.
  ///
  /// Apple symbol: UndoManager.undoMenuItemTitle.
  open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }

  /// What a menu says for redoing.
  ///
  /// Apple symbol: UndoManager.redoMenuItemTitle.
  open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

  /// What a menu says for undoing something of this name; "" for no name.
  ///
  /// Subclasses override it to say it in another language.
  ///
  /// Apple symbol: UndoManager.undoMenuTitle(forUndoActionName:).
  open func undoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Undo" : "Undo \(name)"
  }

  /// What a menu says for redoing something of this name; "" for no name.
  ///
  /// Subclasses override it to say it in another language.
  ///
  /// Apple symbol: UndoManager.redoMenuTitle(forUndoActionName:).
  open func redoMenuTitle(forUndoActionName name: String) -> String {
    name.isEmpty ? "Redo" : "Redo \(name)"
  }

  // MARK: forgetting

  /// Forgets everything, closes all groups without a notice, and enables registration.
  ///
  /// Ends that clients still owe for groups closed here are taken without complaint.
  ///
  /// Apple symbol: UndoManager.removeAllActions().
  open func removeAllActions() {
    let garbage = state.withLock { $0.removeAll() }
    withExtendedLifetime(garbage) {}
  }

  /// Forgets all actions that were registered for an object.
  ///
  /// Groups that have nothing left are gone.
  ///
  /// Apple symbol: UndoManager.removeAllActions(withTarget:).
  open func removeAllActions(withTarget target: Any) {
    let identity = ObjectIdentifier(target as AnyObject)
    let garbage = state.withLock { $0.removeAll(for: identity) }
    withExtendedLifetime(garbage) {}
  }
}

// MARK: - What extensions in other files need

extension UndoManager {
  /// Reads or changes what is known, inside the lock: `body` must not call out.
  func withState<R: Sendable>(_ body: (inout UndoState) -> sending R) -> R {
    state.withLock { body(&$0) }
  }

  /// Posts a notification, outside of the lock.
  func post(_ name: Notification.Name, _ notice: UndoNotice? = nil) {
    NotificationCenter.default.post(name: name, object: self, userInfo: notice?.userInfo)
  }

  /// Closes the group of an event if it is the only one that is open.
  ///
  /// What an undo manager's document does before it takes a snapshot: the edits of the event count.
  package func closeEventGroup() {
    if withState({ $0.isInEventGroupOnly }) { end() }
  }

  /// The event in which a group was opened is over.
  func eventIsOver() {
    if withState({ $0.eventIsOver() }) { end() }
  }
}
