/// How far a model is from what was saved.
struct ChangeCount: Sendable {
  private var index = 0
  /// Where the saved state lies; nil once it cannot be reached by undoing and redoing any more.
  private var savedIndex: Int? = 0
  /// Counts everything that happened: two tokens are equal if nothing did between them.
  private(set) var generation: UInt64 = 0

  var isDirty: Bool { savedIndex != index }

  mutating func note(_ change: UIDocument.ChangeKind) {
    switch change {
    case .done:
      // Past the saved state, and now on another branch: there is no way back to it.
      if let saved = savedIndex, index < saved { savedIndex = nil }
      index += 1
    case .undone: index -= 1
    case .redone: index += 1
    case .cleared:
      savedIndex = index
      return
    }
    generation += 1
  }

  /// What stood here is what is on disk now; what was done since is still unsaved.
  mutating func clear(asOf earlier: ChangeCount) { savedIndex = earlier.index }
}

/// What a save must remember of the change count at its start.
final class ChangeToken: Sendable {
  let generation: UInt64
  let count: ChangeCount
  init(_ count: ChangeCount) {
    self.count = count
    generation = count.generation
  }
}
