package import LinuxSystem

/// Who takes the messages of other processes.
///
/// Called on the link thread: must not block.
package protocol PresenterHost: AnyObject, Sendable {
  /// A message came.
  ///
  /// An `ask` is owed `answered`, a `finished` is owed `noted`, a `partner` is owed `partnerReply`,
  /// by ``IncomingConversation/reply(_:descriptors:)``, from any thread, now or later.
  func received(
    _ message: LinkMessage,
    descriptors: [SharedDescriptor],
    in conversation: IncomingConversation
  )

  /// The asker died, or closed, before the conversation was over; ``IncomingConversation/stage``
  /// tells how far it had come.
  func lost(_ conversation: IncomingConversation)

  /// Somebody could not reach us because our queue was full: messages are missing, look at everything.
  func overflowed()
}

extension PresenterHost {
  package func overflowed() {}
}
