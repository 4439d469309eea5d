/// What an undo manager knows: decisions only, nothing here calls out.
///
/// What falls out of it is returned, because letting go of it may run a client's `deinit`, which may
/// call the manager again: that has to happen when the lock is free.
struct UndoState: Sendable {
  enum Mode: Sendable { case normal, undoing, redoing }

  /// Something that was open: a level of grouping.
  struct Level: Sendable {
    /// Where in the open group its actions begin.
    let start: Int
    /// What the open group held before.
    var before = UndoTally()
    /// Where the groups closed inside it began, as long as nothing was registered behind them.
    var closed: [Int] = []
    /// Opened by the first registration of an event rather than by a client.
    var isEvent = false
    /// The event is over; what keeps it open is a client's group inside.
    var eventIsOver = false
  }

  /// A group that is open, with its levels; the first level is the whole of it.
  struct Open: Sendable {
    var group = UndoGroup()
    var levels: [Level] = []
  }

  /// What falls out: to be released when the lock is free.
  struct Garbage: Sendable {
    var groups: [UndoList<UndoGroup>] = []
    var entries: [UndoGroup.Entry] = []
    var open: [Open] = []
    var single: [UndoGroup] = []
  }

  private(set) var mode = Mode.normal
  private(set) var undoStack = UndoList<UndoGroup>()
  private(set) var redoStack = UndoList<UndoGroup>()
  private(set) var open = Open()
  /// What was open when an undo of a nested group, or a redo, began.
  private var suspended: Open?
  /// What is being undone or redone.
  private var running: UndoGroup?
  private var runningIsDiscardable = false
  /// Will-notices are posted before the level that collects the inverse counts.
  private var hidesCollector = false
  private var disabled = 0
  /// Ends that clients still owe for groups that `removeAllActions` closed.
  private var forgivenEnds = 0

  var groupsByEvent = true
  private(set) var levelsOfUndo = 0

  // MARK: what is asked

  var groupingLevel: Int {
    open.levels.count + (suspended?.levels.count ?? 0) - (hidesCollector ? 1 : 0)
  }
  var isRegistrationEnabled: Bool { disabled == 0 }
  /// The outermost open group counts once it has actions.
  private var openCounts: Bool { mode == .normal && !open.group.isEmpty }
  var undoCount: Int {
    let all = undoStack.count + (openCounts ? 1 : 0)
    return levelsOfUndo > 0 ? min(all, levelsOfUndo) : all
  }
  /// The group that an undo would undo.
  var nextUndo: UndoGroup? { openCounts ? open.group : undoStack.last }
  var nextRedo: UndoGroup? { redoStack.last }
  /// The innermost open group, as its closing would be announced.
  var closingNotice: UndoNotice {
    guard let level = open.levels.last else { return UndoNotice() }
    return UndoNotice(open.group.tally - level.before)
  }
  /// Whether a client may end a group now; the one that collects an inverse is not theirs.
  var canEnd: Bool { open.levels.count > (mode == .normal ? 0 : 1) }
  var isInEventGroupOnly: Bool {
    mode == .normal && open.levels.count == 1 && open.levels[0].isEvent
  }

  // MARK: registration

  enum Registration: Sendable { case ignored, recorded, openedEventGroup, noGroup }

  mutating func record(_ action: UndoAction) -> (Registration, Garbage) {
    var garbage = Garbage()
    guard disabled == 0 else { return (.ignored, garbage) }
    var result = Registration.recorded
    if open.levels.isEmpty {
      guard openEventGroup() else { return (.noGroup, garbage) }
      result = .openedEventGroup
    }
    if mode == .normal, redoStack.count > 0 {
      garbage.groups.append(redoStack)
      redoStack = UndoList()
    }
    open.group.append(
      UndoGroup.Entry(action: action, isDiscardable: mode != .normal && runningIsDiscardable)
    )
    open.levels[open.levels.count - 1].closed = []
    return (result, garbage)
  }

  mutating func disable() { disabled += 1 }

  /// False: it was not disabled.
  mutating func enable() -> Bool {
    guard disabled > 0 else { return false }
    disabled -= 1
    return true
  }

  // MARK: grouping

  /// Opens the group of this event; false where clients group by hand or one is open.
  mutating func openEventGroup() -> Bool {
    guard groupsByEvent, mode == .normal, open.levels.isEmpty else { return false }
    open = Open(levels: [Level(start: 0, isEvent: true)])
    return true
  }

  mutating func begin() {
    open.levels.append(Level(start: open.group.end, before: open.group.tally))
  }

  /// The end that a client still owed for a group that is gone.
  mutating func takeForgivenEnd() -> Bool {
    guard forgivenEnds > 0 else { return false }
    forgivenEnds -= 1
    return true
  }

  struct Closing: Sendable {
    var notice = UndoNotice()
    /// What is left is the group of an event that is over.
    var leavesOverdueEvent = false
    var garbage = Garbage()
  }

  mutating func end() -> Closing {
    var closing = Closing(notice: closingNotice)
    guard let level = open.levels.popLast() else { return closing }
    if let outer = open.levels.indices.last {
      if open.group.end > level.start { open.levels[outer].closed.append(level.start) }
      closing.leavesOverdueEvent =
        outer == 0 && open.levels[0].isEvent && open.levels[0].eventIsOver
    } else {
      let group = open.group
      open = Open()
      if group.isEmpty {
        closing.garbage.single.append(group)
      } else {
        undoStack.append(group)
        trim(&closing.garbage)
      }
    }
    return closing
  }

  /// The event in which the open group was opened is over.
  ///
  /// - Returns: whether the group is to be closed now.
  mutating func eventIsOver() -> Bool {
    guard suspended == nil, mode == .normal, let first = open.levels.first, first.isEvent else {
      return false
    }
    open.levels[0].eventIsOver = true
    return open.levels.count == 1
  }

  mutating func setLevelsOfUndo(_ levels: Int) -> Garbage {
    levelsOfUndo = levels
    var garbage = Garbage()
    trim(&garbage)
    return garbage
  }

  private mutating func trim(_ garbage: inout Garbage) {
    guard levelsOfUndo > 0 else { return }
    while undoStack.count > levelsOfUndo, let oldest = undoStack.popFirst() {
      garbage.single.append(oldest)
    }
    while redoStack.count > levelsOfUndo, let oldest = redoStack.popFirst() {
      garbage.single.append(oldest)
    }
  }

  // MARK: names and what else belongs to a group

  /// Changes what belongs to the group that is open, or else to the newest one.
  mutating func changeGroup(_ body: (inout UndoGroup) -> Void) {
    if !open.levels.isEmpty { body(&open.group) } else { undoStack.changeLast(body) }
  }

  // MARK: undoing and redoing

  /// Whether the newest thing in the open group is an action outside of any closed group.
  var hasLooseActions: Bool {
    guard let level = open.levels.last else { return false }
    return open.group.end > level.start && level.closed.isEmpty
  }

  /// Begins to undo the group that was closed last; nil: there is none.
  mutating func beginUndo() -> UndoNotice? {
    let group: UndoGroup
    if let last = open.levels.indices.last {
      guard let start = open.levels[last].closed.popLast() else { return nil }
      group = open.group.split(at: start)
    } else {
      guard let top = undoStack.popLast() else { return nil }
      group = top
    }
    return begin(running: group, .undoing)
  }

  /// Begins to redo what was undone last; nil: there is nothing.
  mutating func beginRedo() -> UndoNotice? {
    guard let group = redoStack.popLast() else { return nil }
    return begin(running: group, .redoing)
  }

  private mutating func begin(running group: UndoGroup, _ mode: Mode) -> UndoNotice {
    self.mode = mode
    if !open.levels.isEmpty { suspended = open }
    open = Open(levels: [Level(start: 0)])
    // The inverse keeps the name, unless a handler gives another.
    open.group.name = group.name
    open.group.userInfo = group.userInfo
    running = group
    runningIsDiscardable = group.isDiscardable
    hidesCollector = true
    return UndoNotice(group.tally)
  }

  /// The next action to perform, newest first.
  mutating func nextAction() -> UndoAction? {
    hidesCollector = false
    return running?.popLast()?.action
  }

  /// What the handlers registered becomes the group that takes it back.
  mutating func finish() -> Garbage {
    var garbage = Garbage()
    let inverse = open.group
    let wasUndoing = mode == .undoing
    open = suspended ?? Open()
    suspended = nil
    running = nil
    mode = .normal
    guard !inverse.isEmpty else {
      garbage.single.append(inverse)
      return garbage
    }
    if wasUndoing {
      redoStack.append(inverse)
    } else if let last = open.levels.indices.last {
      open.levels[last].closed.append(open.group.end)
      open.group.append(contentsOf: inverse)
    } else {
      undoStack.append(inverse)
    }
    trim(&garbage)
    return garbage
  }

  // MARK: forgetting

  mutating func removeAll() -> Garbage {
    var garbage = Garbage()
    garbage.groups = [undoStack, redoStack]
    undoStack = UndoList()
    redoStack = UndoList()
    disabled = 0
    forgivenEnds += clientLevels(of: suspended)
    if let suspended { garbage.open.append(suspended) }
    suspended = nil
    garbage.open.append(open)
    if mode == .normal {
      forgivenEnds += clientLevels(of: open)
      open = Open()
    } else {
      // The handlers go on: what collects for them stays, empty.
      open = Open(levels: open.levels.map { _ in Level(start: 0) })
    }
    if let running { garbage.single.append(running) }
    running = running.map { _ in UndoGroup() }
    return garbage
  }

  private func clientLevels(of open: Open?) -> Int { open?.levels.count { !$0.isEvent } ?? 0 }

  mutating func removeAll(for target: ObjectIdentifier) -> Garbage {
    var garbage = Garbage()
    garbage.entries += open.group.removeActions(for: target)
    garbage.entries += suspended?.group.removeActions(for: target) ?? []
    garbage.entries += running?.removeActions(for: target) ?? []
    Self.remove(target, from: &undoStack, &garbage)
    Self.remove(target, from: &redoStack, &garbage)
    return garbage
  }

  private static func remove(
    _ target: ObjectIdentifier,
    from stack: inout UndoList<UndoGroup>,
    _ garbage: inout Garbage
  ) {
    let emptied = stack.empty { group in
      garbage.entries += group.removeActions(for: target)
      return group.isEmpty
    }
    guard !emptied.isEmpty else { return }
    garbage.single += emptied
    stack.compact()
  }
}

extension UndoGroup {
  /// Takes over all actions of another group, in their order.
  fileprivate mutating func append(contentsOf other: UndoGroup) {
    var other = other
    var reversed: [Entry] = []
    while let entry = other.popLast() { reversed.append(entry) }
    for entry in reversed.reversed() { append(entry) }
  }
}
