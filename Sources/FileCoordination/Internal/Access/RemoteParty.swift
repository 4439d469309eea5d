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
  ///
  /// For what may be missed: a process whose queue is full looks at everything when it reads it.
  func send(_ message: LinkMessage) -> Bool {
    // What goes wrong beside that is seen by the next question, which throws.
    (try? ask(message)) ?? false
  }

  /// Sends without waiting; false if the process is gone.
  ///
  /// - Throws: why a process that lives was not told.
  func ask(_ message: LinkMessage) throws(SystemError) -> Bool {
    guard isOpen.load(ordering: .acquiring) else { return false }
    do throws(SystemError) {
      try conversation.send(message)
      return true
    } catch {
      isOpen.store(false, ordering: .releasing)
      if Self.isOurTrouble(error) { throw error }
      return false
    }
  }

  /// Whether an error says nothing about the other process's being gone.
  static func isOurTrouble(_ error: SystemError) -> Bool {
    [
      .again, .messageTooLong, .noMemory, .noBuffers, .tooManyOpenFiles, .fileTableFull, .noSpace,
    ]
    .contains(error.code)
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
