package import DocumentInteraction
import Foundation
package import Gtk

/// Menus as bubbles and previews as windows, for the controllers of a program with a window.
@MainActor package final class WindowFrontEnd: DocumentInteractionFrontEnd {
  private let window: Window
  /// Where in which widget a menu points.
  package var anchor: @MainActor () -> (widget: Widget, point: Widget.Point)?
  private var menu: Menu?

  /// Whether a menu is open: it gets the keys.
  package var isShowingMenu: Bool { menu != nil }

  /// For controllers of files that are shown in this window.
  package init(_ window: Window) {
    self.window = window
    anchor = { nil }
  }

  package func choose(from menu: DocumentMenu) async -> DocumentMenu.Choice? {
    let title = Label(TerminalText.plain(menu.title), side: .middle)
    title.shorten()
    title.addClass("dim")
    let place = anchor() ?? (window, Widget.Point(x: 24, y: 24))
    let shown = Menu(title, menu.entries.map(Self.row), in: place.widget, at: place.point)
    self.menu = shown
    ShownLog.note("menu \(menu.title): \(menu.entries.map(\.title).joined(separator: ", "))")
    let index = await withTaskCancellationHandler {
      await withCheckedContinuation { answer in shown.open { answer.resume(returning: $0) } }
    } onCancel: {
      Task { @MainActor in shown.close() }
    }
    self.menu = nil
    return index.map { menu.entries[$0].choice }
  }

  private static func row(_ entry: DocumentMenu.Entry) -> Widget {
    let icon = Icon(iconNames(entry), size: 16)
    if let path = entry.icon, path.hasPrefix("/") { icon.set(file: path) }
    let row = Box(.across, spacing: 10, [icon, Label(TerminalText.plain(entry.title))])
    row.setMargins(across: 6, along: 4)
    return row
  }

  private static func iconNames(_ entry: DocumentMenu.Entry) -> [String] {
    switch entry.choice {
    case .preview: ["view-reveal-symbolic", "document-open-symbolic"]
    case .action(.print): ["document-print-symbolic"]
    case .action(.copy): ["edit-copy-symbolic"]
    case .action(.saveToCameraRoll): ["document-save-as-symbolic"]
    case .action(.reveal): ["folder-symbolic"]
    case .action(.moveToTrash): ["user-trash-symbolic"]
    case .action: ["system-run-symbolic"]
    case .program: [entry.icon, "application-x-executable"].compactMap { $0 }
    }
  }

  package func show(_ preview: DocumentPreview) async throws {
    // It looks for itself: it has room for more dots, and hears of changes from before it looked.
    let shown = PreviewWindow([preview.url], above: window)
    await withTaskCancellationHandler {
      await withCheckedContinuation { seen in shown.open { seen.resume() } }
    } onCancel: {
      Task { @MainActor in shown.close() }
    }
  }
}
