import Documents
package import LinuxSystem

/// The main loop of a program on a terminal: keys, and work that others hand to the main thread.
package final class TerminalLoop: Sendable {
  private let poll: EventPoll
  private let work = Mutex<[@Sendable () -> Void]>([])

  /// Becomes where documents run what belongs on the main thread.
  package init() throws(SystemError) {
    poll = try EventPoll()
    try poll.add(0)
    MainLoopHook.install { [self] work in perform(work) }
  }

  /// Runs `body` on the loop's thread, after what runs there now; from any thread.
  package func perform(_ body: @escaping @Sendable () -> Void) {
    work.withLock { $0.append(body) }
    poll.wake()
  }

  /// Parks until a key, work or a signal comes, and runs the work; says whether a key may have come.
  package func wait() -> Bool {
    let readable = work.withLock({ $0.isEmpty }) ? poll.wait(until: nil) : []
    let due = work.withLock { work in
      defer { work = [] }
      return work
    }
    for body in due { body() }
    return readable.contains(0)
  }

  /// Looks for keys no more: the terminal is gone, and would be readable for ever.
  package func forgetTerminal() { poll.remove(0) }
}
