import CoordinationRuntime
import LinuxSystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)), .inTurn) struct TraceTests {
  @Test func `a sink that gets a hundred thousand events is called as at first`() {
    // A function that is the value of a lock was wrapped once more by each access, until the stack ended.
    let heard = Mutex(0)
    CoordinationTrace.install { event in
      if event.text == "counted" { heard.withLock { $0 += 1 } }
    }
    defer { CoordinationTrace.install(nil) }

    for _ in 0..<100_000 { CoordinationTrace.record(.diagnostic, "counted") }

    #expect(heard.withLock { $0 } == 100_000)
  }
}
