import FileCoordination
import Foundation
import PeerScript

extension Script {
  func runPresenters(_ step: Step) {
    switch step {
    case .present(let script):
      let presenter = Registry.shared.presenter(script.name) ?? PeerPresenters.make(script)
      Registry.shared.keep(presenter, as: script.name)
      NSFileCoordinator.addFilePresenter(presenter)
      emit("presented", script.name)
    case .withdraw(let name):
      if let presenter = Registry.shared.presenter(name) {
        NSFileCoordinator.removeFilePresenter(presenter)
      }
      emit("withdrawn", name)
    case .adopt(let name, let path):
      Registry.shared.presenter(name)?.adopt(path.map { URL(fileURLWithPath: $0) })
    case .churnPresenters(let path, let count):
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      for _ in 0..<count {
        _ = SelfRemovingPresenter(URL(fileURLWithPath: path), queue)
      }
    case .forget(let name): Registry.shared.forgetPresenter(name)
    case .answerError(let domain, let code):
      answer?.fail(
        NSError(
          domain: domain,
          code: code,
          userInfo: [NSLocalizedDescriptionKey: "scripted refusal"]
        )
      )
    case .neverAnswer: answer?.refuse()
    default: emit("error", "\(step)")
    }
  }
}
