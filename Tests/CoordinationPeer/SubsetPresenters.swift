import LinuxSystem
import FileCoordination
import Foundation
import PeerScript

// One class per subset of four optional methods: on Linux only the class that conforms decides which
// methods there are, so a script cannot choose at run time.

/// What the classes share.
class SubsetPresenter: NSObject, @unchecked Sendable {
  // @unchecked because a class that others inherit cannot be checked; all of its state is constant
  // or in a Mutex.
  let script: PresenterScript
  let presentedItemOperationQueue: OperationQueue
  private let url: Mutex<URL?>

  required init(_ script: PresenterScript) {
    self.script = script
    presentedItemOperationQueue = PeerPresenters.queue(script)
    url = Mutex(script.path.map { URL(fileURLWithPath: $0) })
  }

  var presentedItemURL: URL? { url.withLock { $0 } }
  func adopt(_ new: URL?) { url.withLock { $0 = new } }
  func presentedItemDidChange() { Output.emit(script.name, "changed") }
}

protocol Subset: PeerPresenter {
  var script: PresenterScript { get }
  init(_ script: PresenterScript)
}
protocol LetsReadersIn: Subset {}
protocol LetsWritersIn: Subset {}
protocol Saves: Subset {}
protocol AccommodatesDeletion: Subset {}

extension LetsReadersIn {
  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    let name = script.name
    Output.emit(name, "relinquishToReader")
    reader { Output.emit(name, "reacquire") }
  }
}
extension LetsWritersIn {
  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    let name = script.name
    Output.emit(name, "relinquishToWriter")
    writer { Output.emit(name, "reacquire") }
  }
}
extension Saves {
  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    Output.emit(script.name, "save")
    completionHandler(nil)
  }
}
extension AccommodatesDeletion {
  func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Output.emit(script.name, "accommodate")
    completionHandler(nil)
  }
}

enum SubsetPresenters {
  static func make(
    _ script: PresenterScript,
    _ set: Set<PresenterScript.Callback>
  ) -> any PeerPresenter {
    var index = 0
    if set.contains(.relinquishToReader) { index += 1 }
    if set.contains(.relinquishToWriter) { index += 2 }
    if set.contains(.save) { index += 4 }
    if set.contains(.accommodate) { index += 8 }
    return classes[index].init(script)
  }

  private static let classes: [any Subset.Type] = [
    S0.self, S1.self, S2.self, S3.self, S4.self, S5.self, S6.self, S7.self, S8.self, S9.self,
    S10.self, S11.self, S12.self, S13.self, S14.self, S15.self,
  ]
}

private final class S0: SubsetPresenter, Subset, @unchecked Sendable {}
private final class S1: SubsetPresenter, LetsReadersIn, @unchecked Sendable {}
private final class S2: SubsetPresenter, LetsWritersIn, @unchecked Sendable {}
private final class S3: SubsetPresenter, LetsReadersIn, LetsWritersIn, @unchecked Sendable {}
private final class S4: SubsetPresenter, Saves, @unchecked Sendable {}
private final class S5: SubsetPresenter, Saves, LetsReadersIn, @unchecked Sendable {}
private final class S6: SubsetPresenter, Saves, LetsWritersIn, @unchecked Sendable {}
private final class S7: SubsetPresenter, Saves, LetsReadersIn, LetsWritersIn, @unchecked Sendable {}
private final class S8: SubsetPresenter, AccommodatesDeletion, @unchecked Sendable {}
private final class S9: SubsetPresenter, AccommodatesDeletion, LetsReadersIn, @unchecked Sendable {}
private final class S10: SubsetPresenter, AccommodatesDeletion, LetsWritersIn, @unchecked Sendable {
}
private final class S11: SubsetPresenter, AccommodatesDeletion, LetsReadersIn, LetsWritersIn,
  @unchecked Sendable
{}
private final class S12: SubsetPresenter, AccommodatesDeletion, Saves, @unchecked Sendable {}
private final class S13: SubsetPresenter, AccommodatesDeletion, Saves, LetsReadersIn,
  @unchecked Sendable
{}
private final class S14: SubsetPresenter, AccommodatesDeletion, Saves, LetsWritersIn,
  @unchecked Sendable
{}
private final class S15: SubsetPresenter, AccommodatesDeletion, Saves, LetsReadersIn, LetsWritersIn,
  @unchecked Sendable
{}
