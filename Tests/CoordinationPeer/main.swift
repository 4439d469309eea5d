// A process that coordinates as it is told: one command per line on standard input, one event per
// line on standard output. The main thread runs its run loop, so that `OperationQueue.main` works.
import Foundation
import LinuxSystem
import PeerScript

let name = CommandLine.arguments.dropFirst().first ?? "peer"

try BlockingThread.start("commands") {
  let decoder = JSONDecoder()
  while let line = readLine() {
    do {
      let command = try decoder.decode(Command.self, from: Data(line.utf8))
      if case .signal(let name)? = command.steps.first {
        Signals.shared.give(name)
        continue
      }
      let thread = Thread { Script(tag: command.tag).runToEnd(command.steps) }
      thread.stackSize = 1 << 20
      thread.start()
    } catch {
      Output.emit("peer", "unreadable", "\(error): \(line)")
    }
  }
  exit(0)
}
Output.emit(name, "ready")
while true { RunLoop.main.run(until: .distantFuture) }
