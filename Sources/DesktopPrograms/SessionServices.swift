import CGIO
package import LinuxSystem

/// What other programs of the session do for whoever asks.
package enum SessionServices {
  private static let fileManager = "org.freedesktop.FileManager1"
  private static let previewer = "org.gnome.NautilusPreviewer"

  /// Whether a file manager is there to be asked, running or not.
  package static var hasFileManager: Bool { unsafe dp_has_name(fileManager) }
  /// Whether a previewer is there to be asked, running or not.
  package static var hasPreviewer: Bool { unsafe dp_has_name(previewer) }

  /// Has the file manager show items in their folders, selected; blocks until it has answered.
  ///
  /// - Throws: `nobody` where there is no file manager, `failed` where it refused.
  /// - SeeAlso: https://www.freedesktop.org/wiki/Specifications/file-manager-interface
  package static func reveal(_ paths: [FilePath]) throws(DesktopError) {
    let strings = GLibStrings(paths.map { $0.fileURLText(isDirectory: false) })
    try unsafe call(
      fileManager,
      "/org/freedesktop/FileManager1",
      fileManager,
      "ShowItems",
      strings.with { unsafe dp_show_arguments($0, "") }
    )
  }

  /// Has the previewer of the desktop show a file; blocks until it has answered.
  ///
  /// - Throws: `nobody` where there is none, `failed` where it refused.
  package static func preview(_ path: FilePath) throws(DesktopError) {
    let uri = path.fileURLText(isDirectory: false)
    let interface = "org.gnome.NautilusPreviewer2"
    do throws(DesktopError) {
      try unsafe call(
        previewer,
        "/org/gnome/NautilusPreviewer",
        interface,
        "ShowFile",
        dp_preview_arguments(uri, false)
      )
    } catch  where error.description.contains("org.freedesktop.DBus.Error.InvalidArgs") {
      // Newer ones want one argument more.
      try unsafe call(
        previewer,
        "/org/gnome/NautilusPreviewer",
        interface,
        "ShowFile",
        dp_preview_arguments(uri, true)
      )
    }
  }

  private static func call(
    _ name: String,
    _ path: String,
    _ interface: String,
    _ method: String,
    _ arguments: OpaquePointer?
  ) throws(DesktopError) {
    var error: UnsafeMutablePointer<GError>?
    let answer = unsafe dp_call(name, path, interface, method, arguments, 10000, &error)
    if let answer = unsafe answer {
      unsafe g_variant_unref(answer)
      return
    }
    let isNobody = unsafe dp_is_nobody(error)
    throw DesktopError(isNobody ? .nobody : .failed, unsafe "\(name): \(GLibText.message(error))")
  }
}
