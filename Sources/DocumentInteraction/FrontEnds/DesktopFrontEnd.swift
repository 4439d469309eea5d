import Foundation

/// Shows previews in windows of the desktop, and leaves menus to another front end.
///
/// Windows are the previewer's of the desktop (`org.gnome.NautilusPreviewer`), else those of
/// `preview-window`, which is found beside the program that runs, in `../libexec/file-coordination` from
/// there, or in `PATH`. With neither, the other front end shows the preview.
@MainActor public final class DesktopFrontEnd: DocumentInteractionFrontEnd {
  private let menus: (any DocumentInteractionFrontEnd)?

  /// Nil where there is no display, or nothing that could show a preview there.
  ///
  /// - Parameter menus: who shows menus; nil: nobody, and no menu is presented.
  public init?(menus: (any DocumentInteractionFrontEnd)?) {
    guard PreviewWindows.areThere else { return nil }
    self.menus = menus
  }

  /// Whether there is somebody to show them.
  public var canShowMenus: Bool { menus?.canShowMenus ?? false }

  /// Leaves it to the other front end.
  public func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice? {
    await menus?.choose(from: menu)
  }

  /// Shows the file in a window until the user closes it; the desktop's previewer keeps its own open.
  ///
  /// - Throws: where no window could be shown and there is no other front end.
  public func show(_ preview: DocumentPreview) async throws {
    do {
      try await PreviewWindows.show(preview.url)
    } catch let error as DocumentInteractionError {
      guard let menus else { throw error }
      try await menus.show(preview)
    }
  }
}
