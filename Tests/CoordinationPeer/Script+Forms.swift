import LinuxSystem
import FileCoordination
import Foundation
import PeerScript

// The spellings of one access. Each returns the error of the call, or nil.
extension Script {
  typealias Accessor = @Sendable ([URL]) -> Void

  static func classic(_ access: Access, _ c: NSFileCoordinator, _ accessor: Accessor) -> NSError? {
    var error: NSError?
    let items = access.items
    switch items.map(\.kind) {
    case [.read]:
      c.coordinate(
        readingItemAt: url(items[0].url),
        options: .init(rawValue: items[0].options),
        error: &error
      ) { accessor([$0]) }
    case [.write]:
      c.coordinate(
        writingItemAt: url(items[0].url),
        options: .init(rawValue: items[0].options),
        error: &error
      ) { accessor([$0]) }
    case [.read, .write]:
      c.coordinate(
        readingItemAt: url(items[0].url),
        options: .init(rawValue: items[0].options),
        writingItemAt: url(items[1].url),
        options: .init(rawValue: items[1].options),
        error: &error
      ) { accessor([$0, $1]) }
    case [.write, .write]:
      c.coordinate(
        writingItemAt: url(items[0].url),
        options: .init(rawValue: items[0].options),
        writingItemAt: url(items[1].url),
        options: .init(rawValue: items[1].options),
        error: &error
      ) { accessor([$0, $1]) }
    default: return NSError(domain: "peer", code: 1)
    }
    return error
  }

  static func throwing(
    _ access: Access,
    _ c: NSFileCoordinator,
    _ accessor: Accessor
  ) -> (any Error)? {
    let items = access.items
    let limit = access.limit.map { Duration.seconds($0) }
    do {
      switch items.map(\.kind) {
      case [.read]:
        try c.coordinate(
          readingItemAt: url(items[0].url),
          options: .init(rawValue: items[0].options),
          timeout: limit
        ) { accessor([$0]) }
      case [.write]:
        try c.coordinate(
          writingItemAt: url(items[0].url),
          options: .init(rawValue: items[0].options),
          timeout: limit
        ) { accessor([$0]) }
      default: return NSError(domain: "peer", code: 1)
      }
      return nil
    } catch { return error }
  }

  /// Runs the suspending form in a task and waits for it on the script's own thread.
  static func async(
    _ access: Access,
    _ box: CoordinatorBox,
    _ accessor: @escaping Accessor
  ) -> (any Error)? {
    let done = DispatchSemaphore(value: 0)
    let failure = ErrorBox()
    let task = Task {
      do { try await suspending(access, box, accessor) } catch { failure.set(error) }
      done.signal()
    }
    if let name = access.task { Registry.shared.keep(task, as: name) }
    done.wait()
    return failure.error
  }

  private static func suspending(
    _ access: Access,
    _ box: CoordinatorBox,
    _ accessor: @escaping Accessor
  ) async throws {
    let items = access.items
    let limit = access.limit.map { Duration.seconds($0) }
    switch items.map(\.kind) {
    case [.read]:
      try await box.coordinator.coordinate(
        readingItemAt: url(items[0].url),
        options: .init(rawValue: items[0].options),
        timeout: limit
      ) { await onThread(accessor, [$0]) }
    case [.write]:
      try await box.coordinator.coordinate(
        writingItemAt: url(items[0].url),
        options: .init(rawValue: items[0].options),
        timeout: limit
      ) { await onThread(accessor, [$0]) }
    default: throw NotPossible("items of an async access")
    }
  }

  /// Runs the accessor on a thread of its own, which may block, while the task is suspended.
  private static func onThread(_ accessor: @escaping Accessor, _ urls: [URL]) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        accessor(urls)
        continuation.resume()
      }
    }
  }

  static func intents(
    _ access: Access,
    _ c: NSFileCoordinator,
    _ script: Script,
    _ accessor: @escaping Accessor
  ) -> (any Error)? {
    let intents = access.items.map { item in
      switch item.kind {
      case .read:
        NSFileAccessIntent.readingIntent(
          with: url(item.url),
          options: .init(rawValue: item.options)
        )
      case .write:
        NSFileAccessIntent.writingIntent(
          with: url(item.url),
          options: .init(rawValue: item.options)
        )
      }
    }
    let queue = OperationQueue()
    queue.name = "accessors"
    let failure = ErrorBox()
    let done = DispatchSemaphore(value: 0)
    c.coordinate(with: intents, queue: queue) { error in
      if !access.isQuiet {
        script.emit("accessor", OperationQueue.current === queue ? "right queue" : "wrong queue")
      }
      if let error { failure.set(error) } else { accessor(intents.map(\.url)) }
      done.signal()
    }
    if !access.isQuiet { script.emit("returned") }
    done.wait()
    return failure.error
  }
}

/// An error on its way to another thread.
final class ErrorBox: Sendable {
  private let state = Mutex<(any Error)?>(nil)
  var error: (any Error)? { state.withLock { $0 } }
  func set(_ error: any Error) { state.withLock { $0 = error } }
}
