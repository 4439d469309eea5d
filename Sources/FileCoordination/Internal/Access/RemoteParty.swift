import CoordinationRuntime
import LinuxSystem
import PresenterLink
import struct Synchronization.Atomic

/// Another process that one access asks or tells, over a conversation of its own.
final class RemoteParty: Sendable {
  private let conversation: Conversation
  private let askedPaths = Mutex<[FilePath]>([])
  private let isOpen = Atomic<Bool>(true)

  init(_ conversation: Conversation) { self.conversation = conversation }

  var process: ProcessIdentity { conversation.peer }
  var socket: CInt { conversation.socketNumber }

  func noteAsked(_ paths: [FilePath]) { askedPaths.withLock { $0 = paths } }

  /// Whether all that is presented at these paths was asked; a second presenter of a path is new.
  func hasAsked(_ paths: [FilePath]) -> Bool {
    askedPaths.withLock { $0.count >= paths.count && Set($0).isSuperset(of: paths) }
  }

  /// Sends without waiting; false if the process is gone or takes nothing more.
  func send(_ message: LinkMessage) -> Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    do {
      try conversation.send(message)
      return true
    } catch {
      // Gone, or so far behind that its queue is full: its own rescan brings it up to date.
      isOpen.store(false, ordering: .releasing)
      return false
    }
  }

  /// What came; `.closed` if the process is gone.
  func receive() -> Conversation.Received {
    do { return try conversation.receive() } catch {
      // What cannot be understood is no answer: the conversation is over.
      return .closed
    }
  }

  func close() { conversation.finish() }
}
