import Documents
import Foundation
import GLibLoop
import LinuxSystem

/// The life of a document in a program with one of the main loops that there are on this system.
enum LoopedDocument {
  static func run(under kind: String, _ file: String) -> Never {
    let url = URL(fileURLWithPath: file)
    switch kind {
    case "dispatch":
      live(url)
      dispatchMain()
    case "async":
      Task { @MainActor in await liveAsync(url) }
      dispatchMain()
    case "runloop":
      live(url)
      while true { RunLoop.main.run(until: .distantFuture) }
    case "glib":
      MainLoopHook.install { GLibLoop.addIdle($0) }
      live(url)
      GLibLoop.run()
    default:
      terminal(url)
    }
  }

  /// A loop that reads keys and runs what was handed to it.
  private static func terminal(_ url: URL) -> Never {
    let inbox = Inbox()
    MainLoopHook.install { inbox.add($0) }
    live(url)
    while true { inbox.next()() }
  }

  static func note(_ what: String) {
    say("\(what) \(OperationQueue.isMainHere ? "main" : "elsewhere")")
  }

  /// Two changes in one turn of the loop are one undo.
  private static func live(_ url: URL) {
    let document = PeerDocument(fileURL: url)
    document.open { success in
      note("opened \(success) \(document.text)")
      guard let undo = document.undoManager else { return note("no undo manager") }
      undo.registerUndo(withTarget: document) { $0.text = "one" }
      undo.registerUndo(withTarget: document) { $0.text = "two" }
      document.text = "edited"
      let observer = Once()
      _ = NotificationCenter.default.addObserver(
        forName: .NSUndoManagerDidCloseUndoGroup,
        object: undo,
        queue: nil
      ) { _ in
        guard observer.first() else { return }
        note("grouped \(document.undoManager.undoCount)")
        document.autosave { success in
          note("saved \(success)")
          document.close { success in
            note("closed \(success)")
            Environment.exit(0)
          }
        }
      }
    }
  }

  @MainActor private static func liveAsync(_ url: URL) async {
    let document = PeerDocument(fileURL: url)
    let opened = await document.open()
    note("opened \(opened) \(document.text)")
    document.undoManager.registerUndo(withTarget: document) { $0.text = "one" }
    document.undoManager.registerUndo(withTarget: document) { $0.text = "two" }
    document.text = "edited"
    while document.undoManager.groupingLevel > 0 { await Task.yield() }
    note("grouped \(document.undoManager.undoCount)")
    let saved = await document.autosave()
    note("saved \(saved)")
    let closed = await document.close()
    note("closed \(closed)")
    Environment.exit(0)
  }
}

/// Work for a loop of the program's own.
final class Inbox: Sendable {
  private let lock = NSCondition()
  private nonisolated(unsafe) var work: [@Sendable () -> Void] = []

  func add(_ body: @escaping @Sendable () -> Void) {
    lock.lock()
    work.append(body)
    lock.signal()
    lock.unlock()
  }

  func next() -> @Sendable () -> Void {
    lock.lock()
    defer { lock.unlock() }
    while work.isEmpty { lock.wait() }
    return work.removeFirst()
  }
}

/// True the first time.
final class Once: Sendable {
  private let lock = NSLock()
  private nonisolated(unsafe) var isUsed = false
  func first() -> Bool {
    lock.withLock {
      defer { isUsed = true }
      return !isUsed
    }
  }
}
