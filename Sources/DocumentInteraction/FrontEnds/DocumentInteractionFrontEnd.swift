/// How a user is asked and shown something: in a terminal, in a window, or by a test.
///
/// Both calls end when the user has done. If the task is cancelled they put away what they show, and
/// return.
@MainActor public protocol DocumentInteractionFrontEnd: AnyObject {
  /// Lets the user choose; nil: the user did not want to.
  func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice?

  /// Whether ``choose(from:)`` shows anything; left out: it does.
  ///
  /// Where it does not, no menu is presented.
  var canShowMenus: Bool { get }

  /// Shows a file until the user has seen it.
  ///
  /// - Throws: where it cannot be shown after all.
  func show(_ preview: DocumentPreview) async throws
}

extension DocumentInteractionFrontEnd {
  /// True.
  public var canShowMenus: Bool { true }
}
