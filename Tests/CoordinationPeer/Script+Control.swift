import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

extension Script {
  func runControl(_ step: Step) throws {
    switch step {
    case .note(let text): emit("note", text)
    case .wait(let signal):
      emit("waiting", signal)
      Signals.shared.wait(for: signal)
    case .waitAtMost(let signal, let seconds):
      if !Signals.shared.wait(for: signal, atMost: seconds) { emit("gaveUp", signal) }
    case .signal(let signal): Signals.shared.give(signal)
    case .times(let count, let steps):
      for _ in 0..<count { run(steps) }
    case .concurrently(let lists): runConcurrently(lists)
    case .onMain(let steps): runOn(.main, steps)
    case .onQueue(let presenter, let steps):
      guard let queue = Registry.shared.presenter(presenter)?.presentedItemOperationQueue else {
        throw NotPossible("no presenter \(presenter)")
      }
      runOn(queue, steps)
    case .locked(let mutex, let steps):
      let lock = Registry.shared.mutex(mutex)
      lock.lock()
      defer { lock.unlock() }
      run(steps)
    case .timed(let steps):
      let start = MonotonicInstant.now
      run(steps)
      emit("took", "\((MonotonicInstant.now.nanoseconds - start.nanoseconds) / 1_000_000)")
    default: throw NotPossible("\(step)")
    }
  }

  private func runConcurrently(_ lists: [[Step]]) {
    let group = DispatchGroup()
    for steps in lists {
      let script = self
      group.enter()
      let thread = Thread {
        script.run(steps)
        group.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    group.wait()
  }

  private func runOn(_ queue: OperationQueue, _ steps: [Step]) {
    let script = self
    let operation = BlockOperation { script.run(steps) }
    queue.addOperation(operation)
    operation.waitUntilFinished()
  }
}

/// A step that makes no sense where it stands.
struct NotPossible: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
