import DocumentInteraction

/// What stands over the list: a menu, or a preview.
@MainActor enum Showing {
  case nothing
  case menu(DocumentMenu, selected: Int, answer: CheckedContinuation<DocumentMenu.Choice?, Never>)
  case preview(DocumentPreview, top: Int, seen: CheckedContinuation<Void, Never>)
}
