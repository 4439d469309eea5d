import LinuxSystem

/// What is pending by the time it is due: a binary heap.
///
/// What was decided meanwhile is skipped.
struct DueQueue {
  private var heap: [(due: MonotonicInstant, item: Pending)] = []

  /// When the first is due; nil when nothing is.
  mutating func next() -> MonotonicInstant? {
    while let top = heap.first, top.item.isDone || top.item.queued != top.due { removeFirst() }
    return heap.first?.due
  }

  /// Puts `item` in, or earlier than it was.
  mutating func put(_ item: Pending, at due: MonotonicInstant) {
    if let queued = item.queued, queued <= due { return }
    item.queued = due
    heap.append((due, item))
    var at = heap.count - 1
    while at > 0, heap[at].due < heap[(at - 1) / 2].due {
      heap.swapAt(at, (at - 1) / 2)
      at = (at - 1) / 2
    }
  }

  /// Takes out all whose time has come.
  mutating func take(until now: MonotonicInstant) -> [Pending] {
    var taken: [Pending] = []
    while let due = next(), due <= now {
      let item = heap[0].item
      removeFirst()
      item.queued = nil
      taken.append(item)
    }
    return taken
  }

  private mutating func removeFirst() {
    let last = heap.removeLast()
    guard !heap.isEmpty else { return }
    heap[0] = last
    var at = 0
    while true {
      var least = at
      for child in [2 * at + 1, 2 * at + 2] where child < heap.count {
        if heap[child].due < heap[least].due { least = child }
      }
      if least == at { return }
      heap.swapAt(at, least)
      at = least
    }
  }
}
