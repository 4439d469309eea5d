import LinuxSystem

/// Shared tree locks that outlive their last claim by a few milliseconds.
///
/// Every claim takes the trees of all directories above it shared, and only moves and deletions of those
/// directories mind. So the process keeps these locks for a moment: the next claim finds them taken,
/// without a system call. They are given up as soon as somebody stands in line for them and the process
/// notices (the mark, at the next claim or release), and at the latest when their time is over: by a
/// thread of ours, which waits for nothing else. To others it looks like a claim that ended a little
/// later.
extension TableState {
  /// How long a tree lock is kept.
  static let lingering: UInt64 = 5_000_000

  /// Keeps the lock of a tree that the last reader left; says whether it does.
  func linger(_ node: Node, _ file: NodeFile) -> Bool {
    guard node.key.kind == .tree, canLinger, node.isQuiet, file.shared != nil, !file.isStale,
      !file.header.isMarked
    else { return false }
    node.isLingering = true
    if !node.isListedToLinger {
      node.isListedToLinger = true
      lingerers.append(node.index)
    }
    node.lingersUntil = now &+ Self.lingering
    if nextSweep == 0 {
      nextSweep = node.lingersUntil
      actions.sweepAt = nextSweep
    }
    return true
  }

  /// Takes the lock of a tree over that was kept; false if there is none, or if somebody wants it.
  func takeLingering(_ node: Node) -> Bool {
    guard node.isLingering, let file = node.file, file.shared != nil else { return false }
    guard !file.header.isMarked, isCurrent(file) else {
      endLingering(node)
      return false
    }
    return true
  }

  /// Gives a kept lock up, unless claims use it now.
  func endLingering(_ node: Node) {
    guard node.isLingering else { return }
    node.isLingering = false
    guard node.readers.isEmpty, let file = node.file, let shared = file.shared else { return }
    FileLock.release(shared.number)
  }

  func endAllLingering() {
    for index in lingerers {
      guard let node = nodes[Int(index)] else { continue }
      endLingering(node)
      node.isListedToLinger = false
    }
    lingerers = []
    nextSweep = 0
  }

  /// Gives up what was kept long enough; says when to come again, 0 for not before the next one.
  func sweep() -> UInt64 {
    var left: [Int32] = []
    var next: UInt64 = 0
    for index in lingerers {
      guard let node = nodes[Int(index)] else { continue }
      guard node.isLingering else {
        node.isListedToLinger = false
        continue
      }
      let isOver = now >= node.lingersUntil || node.file?.header.isMarked != false
      if node.readers.isEmpty, isOver {
        endLingering(node)
        node.isListedToLinger = false
      } else {
        left.append(index)
        // In use: looked at again when it may be over.
        let when = max(node.lingersUntil, now &+ Self.lingering / 2)
        next = next == 0 ? when : min(next, when)
      }
    }
    lingerers = left
    nextSweep = next
    return next
  }
}
