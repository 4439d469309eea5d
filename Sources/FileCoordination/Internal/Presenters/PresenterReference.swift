import Foundation

/// A presenter on its way to its own queue.
// @unchecked because the object is only messaged on its presentedItemOperationQueue; the two
// properties that are read elsewhere are documented as readable on any thread.
struct PresenterReference: @unchecked Sendable {
  let object: any NSFilePresenter
  init(_ object: any NSFilePresenter) { self.object = object }
}
