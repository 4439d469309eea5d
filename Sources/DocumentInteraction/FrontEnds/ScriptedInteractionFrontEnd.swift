/// A front end without a user, for tests: answers as it was told.
@MainActor public final class ScriptedInteractionFrontEnd: DocumentInteractionFrontEnd {
  /// What the user would do next.
  public enum Step: Sendable {
    /// Chooses from a menu; nil puts it away.
    case choose(@MainActor @Sendable (DocumentMenu) -> DocumentMenu.Choice?)
    /// Looks at a preview.
    case look(@MainActor @Sendable (DocumentPreview) throws -> Void)
    /// Does nothing until what is shown is put away.
    case wait
  }
  private var steps: [Step]
  /// The menus that were shown.
  public private(set) var menus: [DocumentMenu] = []
  /// The previews that were shown.
  public private(set) var previews: [DocumentPreview] = []

  /// A user who does these things, and then puts away whatever is shown.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// Answers by the next step.
  public func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice? {
    menus.append(menu)
    guard !steps.isEmpty else { return nil }
    switch steps.removeFirst() {
    case .choose(let answer): return answer(menu)
    case .look: return nil
    case .wait:
      await untilCancelled()
      return nil
    }
  }

  /// Answers by the next step.
  public func show(_ preview: DocumentPreview) async throws {
    previews.append(preview)
    guard !steps.isEmpty else { return }
    switch steps.removeFirst() {
    case .look(let look): try look(preview)
    case .choose: return
    case .wait: await untilCancelled()
    }
  }

  private func untilCancelled() async {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}
