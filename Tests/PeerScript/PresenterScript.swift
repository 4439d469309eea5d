/// What a presenter presents, where it is messaged and what it does then.
///
/// Every callback emits an event under the presenter's name before its steps run.
package struct PresenterScript: Codable, Sendable {
  package enum Queue: Codable, Sendable {
    case own
    case main
    /// Shared by all presenters that name it.
    case named(String)
  }
  /// The callbacks that can do something.
  package enum Callback: String, Codable, Sendable, CaseIterable {
    case relinquishToReader, relinquishToWriter, save, accommodate, accommodateSub, reacquire
    case changed, moved, subAppeared, subChanged, subMoved
  }

  package var name: String
  /// nil: a presenter without a URL, until `adopt` gives it one.
  package var path: String?
  package var queue = Queue.own
  package var steps: [Callback: [Step]] = [:]
  /// Whether it asks to be told when the other is done.
  package var reacquires = true
  /// Which optional methods its class has; nil: all of them.
  ///
  /// Otherwise any of the first four callbacks, beside `presentedItemDidChange`, which every class
  /// has.
  package var implements: Set<Callback>?
  /// Follows moves: presentedItemURL is what the last one said.
  package var followsMoves = true

  package init(_ name: String, _ path: String?) {
    self.name = name
    self.path = path
  }

  package func queue(_ queue: Queue) -> PresenterScript { with { $0.queue = queue } }
  package func on(_ callback: Callback, _ steps: [Step]) -> PresenterScript {
    with { $0.steps[callback] = steps }
  }
  package func implementing(_ callbacks: Set<Callback>) -> PresenterScript {
    with { $0.implements = callbacks }
  }
  package func withoutReacquirer() -> PresenterScript { with { $0.reacquires = false } }

  private func with(_ change: (inout PresenterScript) -> Void) -> PresenterScript {
    var copy = self
    change(&copy)
    return copy
  }
}
