import DesktopPrograms
import FileCoordination
package import Foundation
package import LinuxSystem

/// Windows that other programs show.
package enum PreviewWindows {
  /// Whether there is a display, and a program that shows previews there.
  static var areThere: Bool {
    // The bus is asked last: it may take its time.
    CompanionProgram.hasDisplay
      && (CompanionProgram.previewWindow != nil || SessionServices.hasPreviewer)
  }

  /// Shows a file until its window is closed, or the task is cancelled.
  ///
  /// - Throws: ``DocumentInteractionError`` where no window can be shown.
  static func show(_ url: URL) async throws {
    let shown = try await OwnThread.run { try start(url) }
    guard let shown else { return }
    // Killed with the value if it does not end.
    let end = try await withTaskCancellationHandler {
      try await OwnThread.run { shown.wait() }
    } onCancel: {
      shown.send(.terminate)
    }
    if end != .exited(0), !Task.isCancelled { throw failure(url, "preview-window failed") }
  }

  /// Has a file shown; blocks until the desktop's previewer has answered; nil: that shows it.
  ///
  /// - Throws: ``DocumentInteractionError`` where neither it nor `preview-window` can.
  private static func start(_ url: URL) throws -> ChildProcess? {
    if try showInPreviewer(url) { return nil }
    guard let program = CompanionProgram.previewWindow else { throw nobody(url) }
    let nowhere = try Descriptor.open(FilePath("/dev/null"), .readWrite)
    return try ChildProcess(
      program,
      [try operand(url)],
      input: nowhere.number,
      output: nowhere.number
    )
  }

  /// Has a file shown by a process that outlives this one; blocks until the previewer has answered.
  ///
  /// - Throws: ``DocumentInteractionError`` where there is nobody to show it.
  package static func leave(_ url: URL) throws {
    if try showInPreviewer(url) { return }
    guard let program = CompanionProgram.previewWindow else { throw nobody(url) }
    let nowhere = try Descriptor.open(FilePath("/dev/null"), .writeOnly)
    try ChildProcess.startDetached(
      program,
      [try operand(url)],
      log: nowhere.number
    )
  }

  /// As a URL: a path need not be UTF-8.
  private static func operand(_ url: URL) throws -> String {
    guard let path = FilePath(url) else { throw failure(url, "\(url) is not the URL of a file") }
    return path.fileURLText(isDirectory: false)
  }

  private static func showInPreviewer(_ url: URL) throws -> Bool {
    guard CompanionProgram.hasDisplay, SessionServices.hasPreviewer, let path = FilePath(url) else {
      return false
    }
    do throws(DesktopError) {
      try SessionServices.preview(path)
      return true
    } catch  where error.code == .nobody {
      return false
    } catch {
      throw failure(url, error.description)
    }
  }

  private static func nobody(_ url: URL) -> DocumentInteractionError {
    failure(
      url,
      CompanionProgram.hasDisplay
        ? "no previewer is there (Debian: gnome-sushi), and no preview-window"
        : "no display is there (DISPLAY, WAYLAND_DISPLAY)"
    )
  }

  private static func failure(_ url: URL, _ message: String) -> DocumentInteractionError {
    DocumentInteractionError(.notPreviewed, url, message)
  }
}

extension CompanionProgram {
  /// Whether a window could be shown: an X server or a Wayland compositor is named in the environment.
  package static var hasDisplay: Bool {
    ["WAYLAND_DISPLAY", "DISPLAY"].contains { Environment.value(of: $0)?.count ?? 0 > 0 }
  }

  /// `preview-window`, of the package for what needs a desktop's libraries, where it could show one.
  package static var previewWindow: FilePath? { hasDisplay ? find("preview-window") : nil }
}
