import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

/// Runs steps on the calling thread; knows the access it stands in.
struct Script {
  let tag: String
  /// The URLs that the innermost accessor got.
  var urls: [URL] = []
  /// The coordinator of the innermost access.
  var coordinator: CoordinatorBox?
  /// Where the answer of a presenter's callback is left.
  var answer: Answer?

  init(tag: String) { self.tag = tag }

  func emit(_ name: String, _ text: String = "") { Output.emit(tag, name, text) }

  /// Runs the steps of one command and says when they ended.
  func runToEnd(_ steps: [Step]) {
    run(steps)
    emit("finished")
  }

  func run(_ steps: [Step]) {
    for (index, step) in steps.enumerated() {
      if case .answerLater(let signal, let rest) = step, let answer {
        answer.handOver()
        let later = self
        let all = rest + steps[(index + 1)...]
        Thread.detachNewThread {
          Signals.shared.wait(for: signal)
          later.run(all)
          answer.give()
        }
        return
      }
      do {
        try run(step)
      } catch {
        emit("error", "\(error)")
      }
    }
  }

  private func run(_ step: Step) throws {
    switch step {
    case .access, .prepare, .cancel, .cancelTask, .makeCoordinator, .setPurpose, .presenterLimit,
      .announceMove:
      try runCoordination(step)
    case .present, .withdraw, .forget, .adopt, .churnPresenters, .answerError, .neverAnswer,
      .answerLater:
      runPresenters(step)
    case .put, .append, .get, .delete, .makeDirectory, .move, .increment, .exists, .fill,
      .checkFill:
      try runFiles(step)
    case .note, .wait, .waitAtMost, .signal, .times, .concurrently, .onMain, .onQueue, .locked,
      .timed:
      try runControl(step)
    case .countDescriptors, .countThreads, .fault, .clearFaults, .spawn, .fork, .forkWrite, .die,
      .interruptible, .limitDescriptors, .torture:
      try runProcess(step)
    }
  }
}
