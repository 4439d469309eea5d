import CLinux
import Glibc
import struct Synchronization.Atomic

/// What one thread parks on while it waits: others wake it, and hand it work to run in place.
///
/// One eventfd, so that the same wait can also watch sockets. A wake that comes before the wait is
/// not lost. Reusable, by one waiting thread at a time.
package final class WaitPoint: Sendable {
  private let event: Descriptor
  private let works = Mutex<[@Sendable () -> Void]>([])
  /// 0 nobody told us anything, 1 a wake is pending: saves the write(2) of the second waker.
  private let pending = Atomic<Bool>(false)

  /// - Throws: EMFILE or ENFILE when no descriptor is left.
  /// - SeeAlso: eventfd(2)
  package init() throws(SystemError) {
    let number = try systemCall("eventfd") { cl_eventfd() }
    event = Descriptor(owning: number)
  }

  /// Wakes the waiting thread, from any thread; it looks at its state and may wait again.
  package func wake() {
    guard !pending.exchange(true, ordering: .sequentiallyConsistent) else { return }
    var one: UInt64 = 1
    _ = unsafe write(event.number, &one, 8)
  }

  /// Has the waiting thread run `work` in place, at its next wake.
  package func post(_ work: @escaping @Sendable () -> Void) {
    works.withLock { $0.append(work) }
    wake()
  }

  /// Work that was posted and not yet run, taken over by the caller.
  package func takeWork() -> [@Sendable () -> Void] {
    works.withLock { works in
      defer { works = [] }
      return works
    }
  }

  /// Parks the calling thread until it is woken, `socket` is readable or `deadline` passed.
  ///
  /// The same as with several, without making arrays; whether the socket is ready is found out by
  /// trying. Returns whether it was woken.
  package func wait(until deadline: MonotonicInstant?, alsoReadable socket: CInt?) -> Bool {
    let limit = Self.nanoseconds(until: deadline)
    return unsafe withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { set in
      unsafe set[0] = pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)
      // A negative number is passed over.
      unsafe set[1] = pollfd(fd: socket ?? -1, events: Int16(POLLIN), revents: 0)
      _ = unsafe cl_poll(set.baseAddress, 2, limit)
      guard unsafe set[0].revents != 0 else { return false }
      takeWake()
      return true
    }
  }

  /// Parks the calling thread until it is woken, one of `sockets` is readable or `deadline` passed.
  ///
  /// Returns the numbers of the sockets that are readable (or hung up). Work that was posted is not
  /// run here: call ``takeWork()``. May return early without cause.
  /// - SeeAlso: ppoll(2)
  package func wait(until deadline: MonotonicInstant?, alsoReadable sockets: [CInt] = []) -> [CInt]
  {
    var set = [pollfd(fd: event.number, events: Int16(POLLIN), revents: 0)]
    for socket in sockets { set.append(pollfd(fd: socket, events: Int16(POLLIN), revents: 0)) }
    let limit = Self.nanoseconds(until: deadline)
    // EINTR counts as a wake without cause.
    _ = unsafe cl_poll(&set, UInt(set.count), limit)
    if set[0].revents != 0 { takeWake() }
    return set.dropFirst().filter { $0.revents != 0 }.map(\.fd)
  }

  private static func nanoseconds(until deadline: MonotonicInstant?) -> UInt64 {
    guard let deadline else { return .max }
    let now = MonotonicInstant.now
    return deadline > now ? deadline.nanoseconds - now.nanoseconds : 0
  }

  private func takeWake() {
    // Read first. A wake in between finds the flag standing and writes nothing; what it is about
    // was posted before it, and the caller looks after this returns. The other way round its
    // write would be read here and the flag stand for ever: no later wake would write.
    var count: UInt64 = 0
    _ = unsafe read(event.number, &count, 8)
    pending.store(false, ordering: .sequentiallyConsistent)
  }
}
