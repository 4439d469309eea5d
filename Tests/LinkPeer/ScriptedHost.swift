import CoordinationRuntime
import LinuxSystem
import PresenterLink

/// Answers at once, when told, or never; says what came.
final class ScriptedHost: PresenterHost {
  enum Mode: String { case auto, hold, quiet }
  private struct State {
    var mode = Mode.auto
    var held: [IncomingConversation] = []
  }
  private let state = Mutex(State())

  func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

  /// Answers everybody who waits; says how many were still there.
  func answerHeld() -> Int {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    return held.count { $0.reply(.answered(nil)) }
  }

  func received(
    _ message: LinkMessage,
    descriptors: [SharedDescriptor],
    in conversation: IncomingConversation
  ) {
    let mode = state.withLock { $0.mode }
    switch message {
    case .ask(let ask):
      if mode == .hold { state.withLock { $0.held.append(conversation) } }
      if mode != .quiet { Lines.shared.say("got ask \(ask.claim.number) \(ask.items.count)") }
      if mode != .hold { conversation.reply(.answered(nil)) }
    case .accessBegan: if mode != .quiet { Lines.shared.say("got began") }
    case .finished(let finished):
      if mode != .quiet { Lines.shared.say("got finished \(finished.notices.count)") }
      conversation.reply(.noted)
    case .abandoned: Lines.shared.say("got abandoned")
    case .partner(let bytes):
      if mode == .hold {
        Lines.shared.say("got partner")
        state.withLock { $0.held.append(conversation) }
      } else {
        conversation.reply(.partnerReply(bytes.reversed()), descriptors: descriptors.map(\.number))
      }
    default: Lines.shared.say("got something else")
    }
  }

  func lost(_ conversation: IncomingConversation) {
    Lines.shared.say("lost \(conversation.stage)")
  }

  func overflowed() { Lines.shared.say("overflowed") }
}
