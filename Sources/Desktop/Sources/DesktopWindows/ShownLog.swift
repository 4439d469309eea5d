import Foundation

/// What windows show, a line each, for tests: in the file that `DESKTOP_WINDOWS_LOG` names, else nowhere.
package enum ShownLog {
  private static let file: FileHandle? = {
    guard let path = ProcessInfo.processInfo.environment["DESKTOP_WINDOWS_LOG"] else { return nil }
    return FileHandle(forWritingAtPath: path)
  }()

  package static func note(_ line: String) {
    guard let file else { return }
    // A log that cannot be written is missed by the test that wants it.
    _ = try? file.seekToEnd()
    try? file.write(contentsOf: Data((line + "\n").utf8))
  }
}
