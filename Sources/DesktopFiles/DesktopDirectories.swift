package import LinuxSystem

/// Where the desktop of a user keeps things, as the XDG Base Directory Specification has it.
package struct DesktopDirectories: Sendable {
  package var home: FilePath
  package var dataHome: FilePath
  package var configHome: FilePath
  package var cacheHome: FilePath
  /// Where data of all users lies, the first with precedence.
  package var dataDirectories: [FilePath]

  package init(
    home: FilePath,
    dataHome: FilePath,
    configHome: FilePath,
    cacheHome: FilePath,
    dataDirectories: [FilePath]
  ) {
    self.home = home
    self.dataHome = dataHome
    self.configHome = configHome
    self.cacheHome = cacheHome
    self.dataDirectories = dataDirectories
  }

  /// Those of this process's environment.
  ///
  /// A relative path in it is ignored, as the specification says.
  /// - Throws: ENOENT where neither the environment nor the user database names a home directory.
  package static func current() throws(SystemError) -> DesktopDirectories {
    guard let home = absolute("HOME") ?? Environment.home else {
      throw SystemError("getpwuid_r", .noEntry, on: "the home directory")
    }
    let list = Environment.value(of: "XDG_DATA_DIRS")?.bytes ?? []
    let words = list.split(separator: UInt8(ascii: ":")).map { FilePath(bytes: $0) }
    return DesktopDirectories(
      home: home,
      dataHome: absolute("XDG_DATA_HOME") ?? home.appending(".local").appending("share"),
      configHome: absolute("XDG_CONFIG_HOME") ?? home.appending(".config"),
      cacheHome: absolute("XDG_CACHE_HOME") ?? home.appending(".cache"),
      dataDirectories: words.isEmpty
        ? [FilePath("/usr/local/share"), FilePath("/usr/share")] : words.filter(\.isAbsolute)
    )
  }

  private static func absolute(_ variable: String) -> FilePath? {
    Environment.value(of: variable).flatMap { $0.isAbsolute ? $0 : nil }
  }
}
