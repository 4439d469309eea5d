import Dispatch
import Fuse
import Synchronization

/// A claim that lasts for as long as programs have a file open for writing.
final class OpenWrite: Sendable {
  private let end = DispatchSemaphore(value: 0)

  /// Waits, on the claim's own thread, until it is over.
  func waitForEnd() { end.wait() }
  func finish() { end.signal() }
}

/// Which files are open for writing.
///
/// All programs that use the mount are one party: where one of them has a file open for writing, the
/// others open it, too, under the same claim. They do not coordinate, and a program that reads what it
/// has open for writing itself would wait for itself.
final class OpenWrites: Sendable {
  private struct Entry: Sendable {
    let write: OpenWrite
    var users = 1
    /// Where the file is by now; nil when its name was removed.
    var path: ItemPath?
  }
  private struct State: Sendable {
    var entries: [ObjectIdentifier: Entry] = [:]
    var at: [ItemPath: ObjectIdentifier] = [:]
    var beginning: Set<ItemPath> = []
    /// What was written counts already, although its placeholder may not be gone yet.
    var settling: [ItemPath: Int] = [:]
    var waiting: [ItemPath: [DispatchSemaphore]] = [:]

    mutating func wake(_ path: ItemPath) {
      for sleeper in waiting.removeValue(forKey: path) ?? [] { sleeper.signal() }
    }
  }
  private let state = Mutex(State())

  /// What whoever opens a file has to do.
  enum Way {
    /// Make a claim: nobody has one.
    case begin
    /// Open it: the claim is there.
    case join(OpenWrite)
    /// Wait for somebody who is making one.
    case wait(DispatchSemaphore)
  }

  /// How to open a file for writing.
  func wayToWrite(_ path: ItemPath) -> Way {
    state.withLock { state in
      if let id = state.at[path], let entry = state.entries[id] {
        state.entries[id]?.users += 1
        return .join(entry.write)
      }
      if state.beginning.insert(path).inserted { return .begin }
      return .wait(Self.sleeper(path, &state))
    }
  }

  /// What to wait for until nobody is making a claim; nil if nobody is.
  func beginning(_ path: ItemPath) -> DispatchSemaphore? {
    state.withLock { $0.beginning.contains(path) ? Self.sleeper(path, &$0) : nil }
  }

  /// What to wait for until nobody has the file open for writing; nil if nobody has.
  func user(of path: ItemPath) -> DispatchSemaphore? {
    state.withLock { $0.at[path] != nil ? Self.sleeper(path, &$0) : nil }
  }

  private static func sleeper(_ path: ItemPath, _ state: inout State) -> DispatchSemaphore {
    let sleeper = DispatchSemaphore(value: 0)
    state.waiting[path, default: []].append(sleeper)
    return sleeper
  }

  /// Whether the file, or anything in the directory, is open for writing.
  func isOpen(_ path: ItemPath) -> Bool {
    state.withLock { state in
      state.at[path] != nil || state.at.keys.contains { $0.isInside(path) }
    }
  }

  /// Whether what stands at the path is what counts, whatever a placeholder says.
  func isWritten(_ path: ItemPath) -> Bool {
    state.withLock { $0.at[path] != nil || $0.settling[path] != nil }
  }

  /// The claim is there, with one user.
  func began(_ write: OpenWrite, _ path: ItemPath) {
    state.withLock { state in
      let id = ObjectIdentifier(write)
      state.entries[id] = Entry(write: write, path: path)
      state.at[path] = id
      state.settling[path, default: 0] += 1
      state.beginning.remove(path)
      state.wake(path)
    }
  }

  /// The claim could not be had.
  func failed(_ path: ItemPath) {
    state.withLock { state in
      state.beginning.remove(path)
      state.wake(path)
    }
  }

  /// One user less; the last one ends the claim.
  func leave(_ write: OpenWrite) {
    let isLast = state.withLock { state in
      let id = ObjectIdentifier(write)
      state.entries[id]?.users -= 1
      guard let entry = state.entries[id], entry.users == 0 else { return false }
      if let path = entry.path, state.at[path] == id {
        state.at[path] = nil
        state.wake(path)
      }
      return true
    }
    if isLast { write.finish() }
  }

  /// The claim that began at a path is over; where its file is now, if that is elsewhere.
  func settled(_ write: OpenWrite, _ path: ItemPath) -> ItemPath? {
    state.withLock { state in
      let left = (state.settling[path] ?? 1) - 1
      state.settling[path] = left == 0 ? nil : left
      let entry = state.entries.removeValue(forKey: ObjectIdentifier(write))
      return entry?.path == path ? nil : entry?.path
    }
  }

  /// A file, or a directory with all that is in it, has another name; both, if they exchanged theirs.
  func moved(_ path: ItemPath, to other: ItemPath, exchanged: Bool) {
    state.withLock { state in
      func place(of item: ItemPath) -> ItemPath? {
        if let new = item.moved(path, to: other) { return new }
        guard let new = item.moved(other, to: path) else { return item }
        // What stood there is gone.
        return exchanged ? new : nil
      }
      for (id, entry) in state.entries {
        guard let old = entry.path else { continue }
        let new = place(of: old)
        if new == old { continue }
        state.entries[id]?.path = new
        state.wake(old)
      }
      state.at = [:]
      for (id, entry) in state.entries where entry.users > 0 {
        if let path = entry.path { state.at[path] = id }
      }
    }
  }

  /// A name is gone; who has the file open has it still.
  func removed(_ path: ItemPath) {
    state.withLock { state in
      guard let id = state.at.removeValue(forKey: path) else { return }
      state.entries[id]?.path = nil
      state.wake(path)
    }
  }

  /// Ends all claims: nobody can use the mount any more.
  func endAll() {
    for entry in state.withLock({ Array($0.entries.values) }) { entry.write.finish() }
  }
}

extension ItemPath {
  /// Where an item is after one was moved; nil if it was not in it.
  fileprivate func moved(_ old: ItemPath, to new: ItemPath) -> ItemPath? {
    if self == old { return new }
    return isInside(old) ? ItemPath(new.bytes + bytes.dropFirst(old.bytes.count)) : nil
  }
}
