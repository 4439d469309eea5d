import CLinux
import Glibc

/// What one thread waits on for many descriptors, and by which other threads wake it.
///
/// - SeeAlso: epoll(7)
package final class EventPoll: Sendable {
  private let poll: Descriptor
  private let event: Descriptor
  private let generation = ForkGeneration.current

  /// - Throws: EMFILE or ENFILE when no descriptor is left.
  package init() throws(SystemError) {
    var poll = Descriptor(owning: try systemCall("epoll_create1") { cl_epoll_create() })
    poll.closeInForkedChild()
    var event = Descriptor(owning: try systemCall("eventfd") { cl_eventfd() })
    event.closeInForkedChild()
    let (set, number) = (poll.number, event.number)
    _ = try systemCall("epoll_ctl") { cl_epoll_add(set, number) }
    self.poll = poll
    self.event = event
  }

  /// Watches a descriptor until it is removed: reported while it is readable or hung up.
  package func add(_ number: CInt) throws(SystemError) {
    _ = try systemCall("epoll_ctl") { cl_epoll_add(poll.number, number) }
  }

  /// Watches a descriptor no more.
  package func remove(_ number: CInt) {
    _ = cl_epoll_remove(poll.number, number)
  }

  /// Wakes the waiting thread, or the next wait at once.
  ///
  /// From any thread.
  package func wake() {
    // After a fork the numbers are closed, and may be somebody else's.
    guard ForkGeneration.current == generation else { return }
    var one: UInt64 = 1
    _ = unsafe write(event.number, &one, 8)
  }

  /// Whether the waiting thread has something to read, or was woken, and has not taken it yet.
  ///
  /// One system call, from any thread.
  /// - SeeAlso: poll(2)
  package var hasSomething: Bool {
    guard ForkGeneration.current == generation else { return false }
    var set = pollfd(fd: poll.number, events: Int16(POLLIN), revents: 0)
    return unsafe cl_poll(&set, 1, 0) > 0
  }

  /// Parks the calling thread until something is readable, it is woken, or `deadline` passed.
  ///
  /// - Returns: the descriptors that are readable or hung up, at most 64 of them.
  /// - SeeAlso: epoll_wait(2)
  package func wait(until deadline: MonotonicInstant?) -> [CInt] {
    var milliseconds: CInt = -1
    if let deadline {
      let now = MonotonicInstant.now
      let left = deadline > now ? deadline.nanoseconds - now.nanoseconds : 0
      milliseconds = CInt(min((left + 999_999) / 1_000_000, 1_000_000))
    }
    let set = poll.number
    let ready = unsafe [CInt](unsafeUninitializedCapacity: 64) { buffer, filled in
      // EINTR counts as a wake without cause.
      filled = Int(max(0, unsafe cl_epoll_wait(set, buffer.baseAddress, 64, milliseconds)))
    }
    guard ready.contains(event.number) else { return ready }
    var count: UInt64 = 0
    _ = unsafe read(event.number, &count, 8)
    return ready.filter { $0 != event.number }
  }
}
