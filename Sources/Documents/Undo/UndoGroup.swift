/// What is undone in one step.
struct UndoGroup: Sendable {
  /// An action in a group.
  struct Entry: Sendable {
    let action: UndoAction
    /// Whether losing it would be no loss.
    var isDiscardable: Bool
  }

  private var entries = UndoList<Entry>()
  /// What it holds, counted.
  private(set) var tally = UndoTally()
  /// What the menu calls it; "" for nothing.
  var name = ""
  /// What clients attached to it.
  var userInfo: [UndoManager.UserInfoKey: CarriedValue] = [:]

  /// Whether nothing would be lost with it.
  var isDiscardable: Bool { tally.isDiscardable }
  var isEmpty: Bool { tally.actions == 0 }
  /// The position behind the last action.
  var end: Int { entries.count }

  mutating func append(_ entry: Entry) {
    entries.append(entry)
    tally.actions += 1
    if !entry.isDiscardable { tally.kept += 1 }
  }

  /// Takes out the newest action at or behind a position.
  mutating func popLast(notBefore start: Int = 0) -> Entry? {
    while entries.count > start {
      guard let entry = entries.popLast() else { continue }
      tally.actions -= 1
      if !entry.isDiscardable { tally.kept -= 1 }
      return entry
    }
    return nil
  }

  /// Marks the newest action.
  mutating func setLastIsDiscardable(_ isDiscardable: Bool) {
    var change = 0
    entries.changeLast { entry in
      if entry.isDiscardable != isDiscardable { change = isDiscardable ? -1 : 1 }
      entry.isDiscardable = isDiscardable
    }
    tally.kept += change
  }

  /// Takes out all actions for an object; positions keep their meaning.
  mutating func removeActions(for target: ObjectIdentifier) -> [Entry] {
    guard entries.contains(where: { $0.action.identity == target }) else { return [] }
    let removed = entries.empty { $0.action.identity == target }
    tally.actions -= removed.count
    tally.kept -= removed.count { !$0.isDiscardable }
    return removed
  }

  /// Takes over the actions behind `start` as a group of their own, in their order.
  mutating func split(at start: Int) -> UndoGroup {
    var reversed: [Entry] = []
    while let entry = popLast(notBefore: start) { reversed.append(entry) }
    var group = UndoGroup()
    for entry in reversed.reversed() { group.append(entry) }
    group.name = name
    group.userInfo = userInfo
    return group
  }
}

/// How many actions there are, and how many of them are worth keeping.
struct UndoTally: Hashable, Sendable {
  var actions = 0
  /// Those that are not discardable.
  var kept = 0

  /// Whether there are actions and all are discardable.
  var isDiscardable: Bool { actions > 0 && kept == 0 }

  static func - (a: UndoTally, b: UndoTally) -> UndoTally {
    // Actions of a removed object may have left from before.
    UndoTally(actions: max(a.actions - b.actions, 0), kept: max(a.kept - b.kept, 0))
  }
}

/// A value of a client's that is kept and given back.
// @unchecked because it is only handed from one caller to another, as a property would.
struct CarriedValue: @unchecked Sendable {
  let value: Any
}
