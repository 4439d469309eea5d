import CoordinationRuntime
import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

/// A member of the torture test: threads that read, write, move and delete until the time is over.
struct TortureWorker {
  let member: TortureMember
  init(_ member: TortureMember) { self.member = member }

  func run() throws {
    let log = try TortureLog(member)
    CoordinationTrace.install { log.record($0) }
    defer { CoordinationTrace.install(nil) }
    let witness = TortureWitness(member.root, log)
    NSFileCoordinator.addFilePresenter(witness)
    defer { NSFileCoordinator.removeFilePresenter(witness) }
    let editing = TortureThread(member, 99, log)
    let editor = TortureEditor("\(member.root)/d0/f0", editing)
    NSFileCoordinator.addFilePresenter(editor)
    defer { NSFileCoordinator.removeFilePresenter(editor) }
    log.record("-", .presenting)

    let end = MonotonicInstant.now + .seconds(member.seconds)
    let group = DispatchGroup()
    for index in 0..<member.threads {
      let worker = TortureThread(member, index, log)
      group.enter()
      let thread = Thread {
        worker.run(until: end)
        group.leave()
      }
      thread.stackSize = 1 << 20
      thread.start()
    }
    group.wait()
    Output.emit("torture", "idle")
    // Notices that are on the way still count.
    Signals.shared.wait(for: "over-\(member.name)")
  }
}
