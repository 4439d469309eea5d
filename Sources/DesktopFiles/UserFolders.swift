package import LinuxSystem

/// The user's folders for pictures and the like, as `user-dirs.dirs` names them.
///
/// - SeeAlso: xdg-user-dirs
package struct UserFolders: Sendable {
  private let home: FilePath
  private let file: KeyFile?

  package init(_ directories: DesktopDirectories) {
    home = directories.home
    file = KeyFile(at: directories.configHome.appending("user-dirs.dirs"))
  }

  /// The folder for pictures.
  package var pictures: FilePath { folder("XDG_PICTURES_DIR", "Pictures") }
  /// The folder for films.
  package var videos: FilePath { folder("XDG_VIDEOS_DIR", "Videos") }

  /// Values stand in quotes, and begin with `$HOME/` or a slash.
  private func folder(_ key: String, _ fallBack: String) -> FilePath {
    guard var value = file?.value("", key), value.count > 1, value.hasPrefix("\""),
      value.hasSuffix("\"")
    else { return home.appending(fallBack) }
    value = String(value.dropFirst().dropLast())
    if value.hasPrefix("$HOME/") { return home.appending(String(value.dropFirst(6))) }
    return value.hasPrefix("/") ? FilePath(value) : home.appending(fallBack)
  }
}
