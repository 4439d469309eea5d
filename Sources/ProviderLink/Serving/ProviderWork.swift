import LinuxSystem

/// What a provider's process has under way, and what it provided that may have to go again.
struct ProviderWork {
  private struct Delivery {
    var waiting: [ProviderServer.Question] = []
    var settling: [ProviderServer.Question] = []
  }
  private struct Provided {
    var users = 0
    var isHere = false
    /// When it may be let go of; nil while it is used.
    var stopAt: MonotonicInstant?
    var isStopping = false
  }
  private var deliveries: [FilePath: Delivery] = [:]
  private var placings: [FilePath: [ProviderServer.Question]] = [:]
  private var provided: [FilePath: Provided] = [:]
  /// Of how many changes the host is being told, per item.
  private var changing: [FilePath: Int] = [:]

  var isEmpty: Bool { deliveries.isEmpty && placings.isEmpty && provided.isEmpty }

  // MARK: deliveries

  func isDelivering(_ item: FilePath) -> Bool { deliveries[item] != nil }

  /// Has a question wait for a delivery that is under way; false if none is.
  mutating func join(_ item: FilePath, _ question: ProviderServer.Question) -> Bool {
    guard deliveries[item] != nil else { return false }
    deliveries[item]?.waiting.append(question)
    return true
  }

  mutating func beginDelivery(of item: FilePath, _ question: ProviderServer.Question) {
    deliveries[item] = Delivery(waiting: [question])
  }

  /// A delivery waits for a placeholder; true if nobody makes one yet.
  mutating func beginPlacing(_ item: FilePath) -> Bool {
    guard placings[item] == nil else { return false }
    placings[item] = []
    return true
  }

  mutating func settle(_ item: FilePath, _ question: ProviderServer.Question) {
    deliveries[item]?.settling.append(question)
  }

  /// Whoever waited for it.
  mutating func endDelivery(of item: FilePath, succeeded: Bool)
    -> (waiting: [ProviderServer.Question], settling: [ProviderServer.Question])
  {
    guard let delivery = deliveries.removeValue(forKey: item) else { return ([], []) }
    if succeeded { provided[item]?.isHere = true }
    forgetIfIdle(item)
    return (delivery.waiting, delivery.settling)
  }

  /// Has a question wait for a placeholder; true if nobody makes one yet.
  mutating func joinPlacing(_ item: FilePath, _ question: ProviderServer.Question) -> Bool {
    let isFirst = placings[item] == nil
    placings[item, default: []].append(question)
    return isFirst
  }

  mutating func endPlacing(_ item: FilePath) -> [ProviderServer.Question] {
    placings.removeValue(forKey: item) ?? []
  }

  // MARK: uses

  mutating func beginUse(of item: FilePath) {
    provided[item, default: Provided()].users += 1
    provided[item]?.stopAt = nil
  }

  mutating func endUse(of item: FilePath, stopAfter: Duration) {
    guard var entry = provided[item] else { return }
    entry.users -= 1
    if entry.users == 0 { entry.stopAt = .now + stopAfter }
    provided[item] = entry
    forgetIfIdle(item)
  }

  private mutating func forgetIfIdle(_ item: FilePath) {
    guard let entry = provided[item], entry.users == 0, !entry.isHere, !isDelivering(item) else {
      return
    }
    provided[item] = nil
  }

  // MARK: changes

  /// The host is being told of a change: until it has seen it, the item is not let go of, and with it
  /// what was written.
  mutating func beginChange(of item: FilePath) { changing[item, default: 0] += 1 }

  mutating func endChange(of item: FilePath) {
    let left = (changing[item] ?? 1) - 1
    changing[item] = left == 0 ? nil : left
  }

  /// Whether an item may be let go of as soon as its time has come.
  private func mayStop(_ item: FilePath, _ entry: Provided) -> Bool {
    !entry.isStopping && entry.users == 0 && changing[item] == nil && !isDelivering(item)
  }

  // MARK: letting go

  /// When the next item may be let go of.
  var nextStop: MonotonicInstant? {
    provided.lazy.filter { mayStop($0.key, $0.value) }.compactMap(\.value.stopAt).min()
  }

  /// Items that nobody has used for long enough; they count as being let go of from now on.
  mutating func dueToStop(at now: MonotonicInstant) -> [FilePath] {
    let due = provided.filter { item, entry in
      mayStop(item, entry) && (entry.stopAt.map { $0 <= now } ?? false)
    }
    for item in due.keys { provided[item]?.isStopping = true }
    return Array(due.keys)
  }

  mutating func stopped(_ item: FilePath, _ didStop: Bool, _ pause: Duration) {
    provided[item]?.isStopping = false
    if didStop {
      provided[item]?.isHere = false
      // Somebody may have asked for it meanwhile: then it is being delivered again.
      forgetIfIdle(item)
      provided[item]?.stopAt = nil
    } else if provided[item]?.users == 0 {
      // Somebody who did not ask us uses it: looked at again, but not without a pause.
      provided[item]?.stopAt = .now + max(pause, .milliseconds(200))
    }
  }
}
