import FileCoordination
import Foundation
import LinuxSystem
import PeerScript

/// A presenter that does what its script says and tells of every callback.
final class ScriptedPresenter: NSObject, PeerPresenter, Sendable {
  let script: PresenterScript
  let presentedItemOperationQueue: OperationQueue
  private let url: Mutex<URL?>

  init(_ script: PresenterScript) {
    self.script = script
    url = Mutex(script.path.map { URL(fileURLWithPath: $0) })
    presentedItemOperationQueue = PeerPresenters.queue(script)
    super.init()
  }

  deinit { Output.emit(script.name, "deinit") }

  var presentedItemURL: URL? { url.withLock { $0 } }
  func adopt(_ new: URL?) { url.withLock { $0 = new } }

  /// Tells of a callback and runs its steps.
  private func play(_ callback: PresenterScript.Callback, _ text: String = "", _ answer: Answer?) {
    let queue = OperationQueue.current === presentedItemOperationQueue ? "" : " off-queue"
    Output.emit(script.name, callback.rawValue, text + queue)
    var steps = Script(tag: script.name)
    steps.answer = answer
    steps.run(script.steps[callback] ?? [])
    answer?.giveUnlessHandedOver()
  }

  private var reacquirer: (@Sendable () -> Void)? {
    guard script.reacquires else { return nil }
    return { [self] in play(.reacquire, "", nil) }
  }

  func relinquishPresentedItem(
    toReader reader: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    play(.relinquishToReader, "", Answer { [self] _ in reader(reacquirer) })
  }

  func relinquishPresentedItem(
    toWriter writer: @escaping @Sendable ((@Sendable () -> Void)?) -> Void
  ) {
    play(.relinquishToWriter, "", Answer { [self] _ in writer(reacquirer) })
  }

  func savePresentedItemChanges(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
    play(.save, "", Answer(completionHandler))
  }

  func accommodatePresentedItemDeletion(
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    play(.accommodate, "", Answer(completionHandler))
  }

  func accommodatePresentedSubitemDeletion(
    at url: URL,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    play(.accommodateSub, url.path, Answer(completionHandler))
  }

  func presentedItemDidMove(to newURL: URL) {
    if script.followsMoves { adopt(newURL) }
    play(.moved, newURL.path, nil)
  }

  func presentedItemDidChange() { play(.changed, "", nil) }
  func presentedSubitemDidAppear(at url: URL) { play(.subAppeared, url.path, nil) }
  func presentedSubitemDidChange(at url: URL) { play(.subChanged, url.path, nil) }
  func presentedSubitem(at oldURL: URL, didMoveTo newURL: URL) {
    play(.subMoved, "\(oldURL.path) \(newURL.path)", nil)
  }
}

/// The answer of one callback, given once.
final class Answer: Sendable {
  private struct State {
    var error: NSError?
    var isHandedOver = false
    var isRefused = false
    var isGiven = false
  }
  private let state = Mutex(State())
  private let handler: @Sendable ((any Error)?) -> Void

  init(_ handler: @escaping @Sendable ((any Error)?) -> Void) { self.handler = handler }

  /// The callback returns without an answer; another thread gives it.
  func handOver() { state.withLock { $0.isHandedOver = true } }
  func fail(_ error: NSError) { state.withLock { $0.error = error } }
  func refuse() { state.withLock { $0.isRefused = true } }

  func giveUnlessHandedOver() {
    if !state.withLock({ $0.isHandedOver }) { give() }
  }

  func give() {
    let (error, now) = state.withLock { state -> (NSError?, Bool) in
      guard !state.isRefused, !state.isGiven else { return (nil, false) }
      state.isGiven = true
      return (state.error, true)
    }
    if now { handler(error) }
  }
}
