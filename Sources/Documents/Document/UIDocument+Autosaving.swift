import FileCoordination
import Foundation
import LinuxSystem

extension UIDocument {
  func noteChange(_ change: ChangeKind) {
    let now = core[\.policy].clock.now
    let isOpen = core.with { values in
      values.changes.note(change)
      if values.changes.isDirty {
        if change != .cleared { values.schedule.noteChange(at: now) }
      } else {
        values.schedule.noteClean()
      }
      return values.phase == .open
    }
    if isOpen { armAutosave() }
  }

  /// Saves if there is something to save; on the queue of whoever asks.
  func startAutosaving(_ completion: DocumentCompletion) {
    guard hasUnsavedChanges else { return completion(true) }
    core.with { $0.isAutosaving = true }
    defer { core.with { $0.isAutosaving = false } }
    save(to: fileURL, for: .forOverwriting) { completion($0) }
  }

  /// Sets the timer to when the next save is due; no timer where none is.
  func armAutosave() {
    let alarm = core.with { values -> Duration? in
      guard values.phase == .open, values.changes.isDirty,
        let due = values.schedule.due(values.policy)
      else { return nil }
      // One that rings earlier looks again.
      if let alarm = values.schedule.alarm, alarm <= due { return nil }
      values.schedule.alarm = due
      return due
    }
    guard let alarm else { return }
    let document = WeakDocument(self)
    core[\.policy].clock.run(at: alarm) {
      MainThread.run { document.document?.autosaveAlarm(alarm) }
    }
  }

  /// On the main queue.
  private func autosaveAlarm(_ alarm: Duration) {
    let now = core[\.policy].clock.now
    let isTime = core.with { values -> Bool in
      // A later alarm was replaced by an earlier one: only the one that counts is answered.
      guard values.schedule.alarm == alarm else { return false }
      values.schedule.alarm = nil
      guard let due = values.schedule.due(values.policy) else { return false }
      return due <= now
    }
    guard isTime else { return armAutosave() }
    guard mayAutosave else { return }
    core.with { $0.schedule.noteStart(at: now) }
    let reference = DocumentReference(self)
    autosave { success in
      guard !success else { return }
      let document = reference.document
      let policy = document.core[\.policy]
      let now = policy.clock.now
      let mustWait = document.core.with { values -> Bool in
        // A save that failed has put itself off already; one that was declined has not.
        guard values.phase == .open, values.changes.isDirty else { return false }
        if !values.schedule.isPutOff(at: now) { values.schedule.noteFailure(at: now, policy) }
        return true
      }
      if mustWait { document.armAutosave() }
    }
  }

  /// Whether nothing speaks against a save just now; whatever ends it arms the timer again.
  private var mayAutosave: Bool {
    let manager = undo.existing
    return core.with { values in
      values.phase == .open && !values.isClosing && values.saves == 0 && values.editingLocks == 0
        && !values.state.contains(.inConflict) && !values.lookIsPending
    } && manager?.isUndoing != true && manager?.isRedoing != true
  }
}

extension UIDocument {
  /// When this document saves by itself, if not as all others do; set it before it is opened.
  ///
  /// - Note: Not in Apple's interface.
  public func setAutosavePolicy(_ policy: AutosavePolicy) { core.with { $0.policy = policy } }
}
