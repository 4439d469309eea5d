import DocumentInteraction

/// The front end of the controllers: shows over the list.
@MainActor final class BrowserFrontEnd: DocumentInteractionFrontEnd {
  private(set) var showing = Showing.nothing
  /// Called when there is something new to be drawn.
  var needsDisplay: @MainActor () -> Void = {}

  func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { answer in
        showing = .menu(menu, selected: 0, answer: answer)
        needsDisplay()
      }
    } onCancel: {
      Task { @MainActor in putAway() }
    }
  }

  func show(_ preview: DocumentPreview) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { seen in
        showing = .preview(preview, top: 0, seen: seen)
        needsDisplay()
      }
    } onCancel: {
      Task { @MainActor in putAway() }
    }
  }

  /// Moves the bar of a menu, or the text of a preview.
  func move(by step: Int) {
    switch showing {
    case .nothing: return
    case .menu(let menu, let selected, let answer):
      let new = min(max(0, selected + step), menu.entries.count - 1)
      showing = .menu(menu, selected: new, answer: answer)
    case .preview(let preview, let top, let seen):
      showing = .preview(preview, top: max(0, top + step), seen: seen)
    }
  }

  /// The user took what is under the bar, or has seen enough.
  func take() {
    switch showing {
    case .nothing: return
    case .menu(let menu, let selected, let answer):
      showing = .nothing
      answer.resume(returning: menu.entries[selected].choice)
    case .preview(_, _, let seen):
      showing = .nothing
      seen.resume()
    }
  }

  func putAway() {
    if case .menu(_, _, let answer) = showing {
      showing = .nothing
      answer.resume(returning: nil)
    } else {
      take()
    }
  }
}
