import Foundation

/// A presenter that may go at any time.
// @unchecked because the weak reference is set once and read atomically by the runtime; what it
// yields is only messaged on the presenter's queue.
final class WeakPresenter: @unchecked Sendable {
  private(set) weak var object: (any NSFilePresenter)?
  init(_ object: any NSFilePresenter) { self.object = object }
}
