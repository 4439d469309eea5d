import CoordinationRuntime
import Foundation
import Synchronization

/// One purpose per presenter, also before it is registered and after.
enum PresenterPurposes {
  private static let counter = Atomic<UInt64>(0)

  /// The purpose that all coordinators made with this presenter share.
  ///
  /// Derived from the object's identity: a presenter needs no registration to have one.
  static func purpose(of presenter: any NSFilePresenter) -> Purpose {
    let address = UInt(bitPattern: ObjectIdentifier(presenter).hashValue)
    return Purpose(
      identifier: "presenter-\(processTag)-\(String(address, radix: 16))",
      mayBeShared: false
    )
  }

  /// A purpose that no other coordinator has.
  static func unique() -> Purpose {
    let number = counter.add(1, ordering: .relaxed).newValue
    return Purpose(identifier: "\(processTag)-\(number)", mayBeShared: false)
  }

  /// Different in every process that was ever started or forked.
  private static var processTag: String { ProcessTag.current }
}
