/// Directories of the user that the XDG Base Directory Specification names, with our name in them.
package enum UserDirectory {
  private static let name = "file-coordination"

  /// Where data lies that must last: `$XDG_DATA_HOME`, else `.local/share` in the home directory.
  ///
  /// - Throws: ENOENT where neither the variable nor the user database says where that is.
  package static func data() throws(SystemError) -> FilePath {
    try directory("XDG_DATA_HOME", [".local", "share"])
  }

  /// Where state lies that may be lost: `$XDG_STATE_HOME`, else `.local/state` in the home directory.
  package static func state() throws(SystemError) -> FilePath {
    try directory("XDG_STATE_HOME", [".local", "state"])
  }

  private static func directory(_ variable: String, _ fallBack: [String]) throws(SystemError)
    -> FilePath
  {
    // A relative path there is to be ignored, says the specification.
    if let value = Environment.value(of: variable), value.isAbsolute {
      return value.appending(name)
    }
    let home = Environment.value(of: "HOME").flatMap { $0.isAbsolute ? $0 : nil }
    guard let home = home ?? Environment.home else {
      throw SystemError("getpwuid_r", .noEntry, on: "the home directory")
    }
    return fallBack.reduce(home) { $0.appending($1) }.appending(name)
  }
}

extension FileSystem {
  /// Creates a directory and what is missing above it, for this user only.
  package static func makeDirectories(_ path: FilePath) throws(SystemError) {
    do throws(SystemError) {
      try makeDirectory(path, mode: 0o700)
    } catch  where error.code == .noEntry {
      guard let parent = path.parent else { throw error }
      try makeDirectories(parent)
      do throws(SystemError) { try makeDirectory(path, mode: 0o700) } catch
        where error.code == .alreadyExists
      {}
    } catch  where error.code == .alreadyExists {}
  }
}
