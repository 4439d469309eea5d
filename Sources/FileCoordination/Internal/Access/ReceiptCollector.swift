import LinuxSystem
import PresenterLink
import struct Synchronization.Atomic

/// Waits until everybody has queued what an access tells them, two seconds at most.
///
/// Not cancellable: the accessor has run, and order is all that hangs on it.
final class ReceiptCollector: Sendable {
  private let parties = Mutex<[RemoteParty]>([])
  private let isLocalPending = Atomic<Bool>(false)
  /// The claim is still held: a message served here that claims the item would never get it.
  private let waiter = CoordinationWaiter(servesQueue: false)

  func expect(_ party: RemoteParty) { parties.withLock { $0.append(party) } }
  func expectLocal() { isLocalPending.store(true, ordering: .releasing) }
  func localNoted() {
    isLocalPending.store(false, ordering: .releasing)
    waiter.wake()
  }

  func collect() {
    let deadline = MonotonicInstant.now + .seconds(2)
    while true {
      let pending = parties.withLock { $0 }
      if pending.isEmpty && !isLocalPending.load(ordering: .acquiring) { return }
      // A process that is stopped reads it when it goes on; the order is lost, nothing else.
      if MonotonicInstant.now >= deadline { return }
      let readable = waiter.park(until: deadline, sockets: pending.map(\.socket))
      for party in pending where readable.contains(party.socket) {
        if isNoted(by: party) { parties.withLock { $0.removeAll { $0 === party } } }
      }
    }
  }

  private func isNoted(by party: RemoteParty) -> Bool {
    while true {
      switch party.receive() {
      case .message(.noted, _), .closed: return true
      case .nothing: return false
      case .message: continue
      }
    }
  }
}
