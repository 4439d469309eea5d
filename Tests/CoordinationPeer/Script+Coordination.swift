import FileCoordination
import Foundation
import PeerScript

extension Script {
  func runCoordination(_ step: Step) throws {
    switch step {
    case .access(let access): runAccess(access)
    case .prepare(let reads, let writes, let presenter, let completeOn, let body):
      runPrepare(reads, writes, presenter, completeOn, body)
    case .cancel(let name):
      guard let box = Registry.shared.coordinator(name) else {
        throw NotPossible("no coordinator \(name)")
      }
      box.coordinator.cancel()
    case .cancelTask(let name):
      guard let task = Registry.shared.task(name) else { throw NotPossible("no task \(name)") }
      task.cancel()
    case .makeCoordinator(let name, let presenter):
      let object = presenter.flatMap { Registry.shared.presenter($0) }
      Registry.shared.keep(NSFileCoordinator(filePresenter: object), as: name)
    case .setPurpose(let name, let purpose):
      guard let box = Registry.shared.coordinator(name) else {
        throw NotPossible("no coordinator \(name)")
      }
      box.coordinator.purposeIdentifier = purpose
    case .presenterLimit(let seconds):
      NSFileCoordinator.presenterTimeLimit = seconds.map { .seconds($0) }
    case .announceMove(let old, let new, let name):
      let box = name.flatMap { Registry.shared.coordinator($0) } ?? coordinator
      guard let box else { throw NotPossible("no coordinator for a move") }
      box.coordinator.item(at: Self.url(old), didMoveTo: Self.url(new))
    default: throw NotPossible("\(step)")
    }
  }

  /// A file URL of a path, or the URL as it is spelled where it has a scheme or is "bare:…".
  static func url(_ text: String) -> URL {
    if text.hasPrefix("/") { return URL(fileURLWithPath: text) }
    if text.hasPrefix("bare:"), let url = URL(string: String(text.dropFirst(5))) { return url }
    return URL(string: text) ?? URL(fileURLWithPath: text)
  }

  private func box(for access: Access) -> CoordinatorBox {
    if let name = access.coordinator, let known = Registry.shared.coordinator(name) { return known }
    let presenter = access.presenter.flatMap { Registry.shared.presenter($0) }
    let made = NSFileCoordinator(filePresenter: presenter)
    if let purpose = access.purpose { made.purposeIdentifier = purpose }
    if let name = access.coordinator { Registry.shared.keep(made, as: name) }
    return CoordinatorBox(made)
  }

  private func runAccess(_ access: Access) {
    let box = box(for: access)
    var inner = self
    inner.coordinator = box
    inner.answer = nil
    let script = inner
    if !access.isQuiet { emit("calling", access.items.map(\.url).joined(separator: " ")) }
    let accessor: @Sendable ([URL]) -> Void = { urls in
      var script = script
      script.urls = urls
      if access.isQuiet { return script.run(access.body) }
      script.emit("began", urls.map(Self.spelled).joined(separator: " "))
      script.run(access.body)
      script.emit("ended")
    }
    let error: (any Error)?
    switch access.form {
    case .classic: error = Self.classic(access, box.coordinator, accessor)
    case .throwing: error = Self.throwing(access, box.coordinator, accessor)
    case .async: error = Self.async(access, box, accessor)
    case .intents: error = Self.intents(access, box.coordinator, script, accessor)
    }
    if let error {
      emit("failed", Self.describe(error))
    } else if !access.isQuiet {
      emit("done")
    }
  }

  static func spelled(_ url: URL) -> String { url.isFileURL ? url.path : url.absoluteString }

  /// Domain, code, and then the sentence.
  static func describe(_ error: any Error) -> String {
    let object = (error as? CoordinationError)?.nsError ?? error as NSError
    return "\(object.domain) \(object.code) \(object.localizedDescription)"
  }

  private func runPrepare(
    _ reads: [String],
    _ writes: [String],
    _ presenter: String?,
    _ completeOn: String?,
    _ body: [Step]
  ) {
    let object = presenter.flatMap { Registry.shared.presenter($0) }
    let coordinator = NSFileCoordinator(filePresenter: object)
    var inner = self
    inner.coordinator = CoordinatorBox(coordinator)
    inner.answer = nil
    let script = inner
    var error: NSError?
    coordinator.prepare(
      forReadingItemsAt: reads.map(Self.url),
      writingItemsAt: writes.map(Self.url),
      error: &error
    ) { completion in
      script.emit("prepared")
      script.run(body)
      guard let completeOn else { return completion() }
      Thread.detachNewThread {
        Signals.shared.wait(for: completeOn)
        script.emit("completing")
        completion()
        script.emit("completed")
      }
    }
    if let error {
      emit("failed", Self.describe(error))
    } else {
      emit("done")
    }
  }
}
