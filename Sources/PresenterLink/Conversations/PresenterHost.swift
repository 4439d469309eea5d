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

  /// Has `heard` called at once when the runtime directory is taken from us, where the host can tell.
  ///
  /// `isInForce` is told when that begins and ends to work; until then it is looked after now and then.
  /// Both may be called on any thread. What is returned ends it.
  func guardDirectory(
    _ directory: SharedDescriptor,
    isInForce: @escaping @Sendable (Bool) -> Void,
    heard: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void
}

extension PresenterHost {
  package func overflowed() {}

  package func guardDirectory(
    _ directory: SharedDescriptor,
    isInForce: @escaping @Sendable (Bool) -> Void,
    heard: @escaping @Sendable () -> Void
  ) -> @Sendable () -> Void { {} }
}
