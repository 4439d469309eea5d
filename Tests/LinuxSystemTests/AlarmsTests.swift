import LinuxSystem
import Testing

@Suite(.timeLimit(.minutes(3))) struct AlarmsTests {
  @Test func `alarms go off in their order and not early`() {
    let seen = Mutex<[(Int, MonotonicInstant)]>([])
    let done = ThreadParker()
    // All are set before the first is due, however busy the machine is.
    let start = MonotonicInstant.now + .seconds(1)
    for (name, delay) in [(3, 60), (1, 20), (2, 40)] {
      let alarm = Alarms.set(start + .milliseconds(delay)) {
        seen.withLock { $0.append((name, MonotonicInstant.now)) }
        done.wake()
      }
      #expect(alarm != 0)
    }
    while seen.withLock({ $0.count }) < 3 { done.wait(until: MonotonicInstant.now + .seconds(1)) }
    let order = seen.withLock { $0 }
    #expect(order.map(\.0) == [1, 2, 3])
    for (name, when) in order { #expect(when - start >= .milliseconds(20 * name)) }
  }

  @Test func `an alarm that was taken back does not go off`() {
    let count = Mutex(0)
    let done = ThreadParker()
    let start = MonotonicInstant.now
    let cancelled = Alarms.set(start + .milliseconds(20)) { count.withLock { $0 += 100 } }
    Alarms.cancel(cancelled)
    _ = Alarms.set(start + .milliseconds(40)) {
      count.withLock { $0 += 1 }
      done.wake()
    }
    while count.withLock({ $0 }) == 0 { done.wait(until: MonotonicInstant.now + .seconds(1)) }
    #expect(count.withLock { $0 } == 1)
  }
}
