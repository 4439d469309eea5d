import FileCoordination
import Foundation
import PeerScript

/// A presenter that a script can make and change.
protocol PeerPresenter: NSFilePresenter, Sendable {
  func adopt(_ url: URL?)
}

enum PeerPresenters {
  /// A presenter of the class that has what the script says it implements.
  static func make(_ script: PresenterScript) -> any PeerPresenter {
    guard let set = script.implements else { return ScriptedPresenter(script) }
    return SubsetPresenters.make(script, set)
  }

  static func queue(_ script: PresenterScript) -> OperationQueue {
    switch script.queue {
    case .main: return .main
    case .named(let name): return Registry.shared.queue(name)
    case .own:
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      queue.name = script.name
      return queue
    }
  }
}
